import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.types.Row;

/** A program that prints results in every way that a program can. */
public class Program {
    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(2);
        StreamTableEnvironment t = StreamTableEnvironment.create(env);
        System.out.println("a line of the program itself");
        t.executeSql("SELECT name, COUNT(*) AS n FROM (VALUES ('a'), ('b'), ('a')) AS t(name) GROUP BY name").print();
        t.executeSql("SHOW TABLES").print();
        t.executeSql("CREATE TABLE sink (id INT, s STRING) WITH ('connector' = 'print', 'print-identifier' = 'R1')");
        t.executeSql("INSERT INTO sink VALUES (1, 'x'), (2, 'y, z')").await();
        Table counts = t.sqlQuery("SELECT name, COUNT(*) AS n FROM (VALUES ('a'), ('b'), ('a')) AS t(name) GROUP BY name");
        t.toChangelogStream(counts).print("changes");
        t.toRetractStream(counts, Row.class).print("R3");
        t.toRetractStream(counts, Row.class).print().setParallelism(1);
        env.execute("prints");
        EnvironmentSettings batch = EnvironmentSettings.newInstance().inBatchMode().build();
        org.apache.flink.table.api.TableEnvironment b = org.apache.flink.table.api.TableEnvironment.create(batch);
        b.executeSql("SELECT name, n FROM (VALUES ('a', 1), ('b', 2)) AS t(name, n)").print();
    }
}
