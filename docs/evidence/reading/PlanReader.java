import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.flink.table.api.CompiledPlan;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.PlanReference;
import org.apache.flink.table.api.TableEnvironment;

/** Changes a plan in one way at a time, and prints what this release makes of it: PlanReader plan.json cases.tsv. */
public class PlanReader {
    public static void main(String[] args) throws Exception {
        String plan = Files.readString(Path.of(args[0]));
        for (String line : Files.readAllLines(Path.of(args[1]))) {
            String[] cells = line.split("\t", -1);
            Matcher place = Pattern.compile(cells[1]).matcher(plan);
            if (cells[0].equals("case")) {
                continue;
            }
            String outcome = "-";
            if (place.find()) {
                outcome = read(place.replaceFirst(cells[2]));
            }
            System.out.println(cells[0] + "\t" + outcome);
        }
    }

    /** Reads a plan and builds the job, without running it. */
    private static String read(String text) {
        String step = "refused when read: ";
        try {
            TableEnvironment env = TableEnvironment.create(EnvironmentSettings.newInstance().inStreamingMode().build());
            CompiledPlan plan = env.loadPlan(PlanReference.fromJsonString(text));
            step = "refused when built: ";
            plan.explain();
            return "taken";
        } catch (Throwable e) {
            while (e.getCause() != null) {
                e = e.getCause();
            }
            String why = e.getClass().getSimpleName();
            if (e.getMessage() != null) {
                why += ": " + e.getMessage().lines().findFirst().orElse("").replaceAll("@[0-9a-f]{6,8}\\b", "").replaceAll("\\s+", " ");
            }
            return step + (why.length() > 150 ? why.substring(0, 150) + "..." : why);
        }
    }
}
