import java.io.DataInputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/**
 * Lists the states of every operator in a savepoint, from the savepoint's own meta information.
 *
 * <p>Arguments: a label, the savepoint's directory, and the compiled plan that the job was started from. One line a
 * state: label, operator uid, keyed or operator or timer, state name, kind, and whether the state has a TTL.
 */
public class StateLister {
    /** Names that the planner gives the transformations of its stream nodes. */
    private static final String[] TRANSFORMATIONS = {
        "source", "calc", "correlate", "join", "multi-join", "interval-join", "filter-left", "filter-right", "pad-left", "pad-right",
        "temporal-join", "window-join", "lookup-join", "lookup-join-materialize", "group-aggregate", "local-group-aggregate", "global-group-aggregate",
        "incremental-group-aggregate", "window-aggregate", "local-window-aggregate", "global-window-aggregate", "window-rank", "window-deduplicate", "window",
        "group-window-aggregate", "over-aggregate", "deduplicate", "changelog-normalize", "drop-update-before", "rank", "temporal-sort", "sort",
        "timestamp-inserter", "match", "mini-batch-assigner", "watermark-assigner", "constraint-validator", "partitioner", "upsert-materialize",
        "watermark-timestamp-assigner", "sink", "exchange", "expand", "values", "delta-join", "process"
    };

    public static void main(String[] args) throws Exception {
        String label = args[0];
        Path metadata = Path.of(args[1], "_metadata");
        Map<OperatorID, String> uids = uids(Files.readString(Path.of(args[2])));
        ClassLoader loader = StateLister.class.getClassLoader();
        CheckpointMetadata checkpoint;
        try (DataInputStream in = new DataInputStream(Files.newInputStream(metadata))) {
            checkpoint = Checkpoints.loadCheckpointMetadata(in, loader, metadata.getParent().toUri().toString());
        }
        TreeSet<String> lines = new TreeSet<>();
        for (OperatorState operator : checkpoint.getOperatorStates()) {
            String uid = uids.getOrDefault(operator.getOperatorID(), operator.getOperatorID().toString());
            for (OperatorSubtaskState subtask : operator.getStates()) {
                for (KeyedStateHandle handle : subtask.getManagedKeyedState()) {
                    keyed(lines, label, uid, (KeyGroupsStateHandle) handle, loader);
                }
                for (OperatorStateHandle handle : subtask.getManagedOperatorState()) {
                    handle.getStateNameToPartitionOffsets().forEach((name, where) ->
                        lines.add(String.join("\t", label, uid, "operator", name, where.getDistributionMode().toString().toLowerCase(), "-")));
                }
            }
        }
        lines.forEach(System.out::println);
    }

    private static void keyed(TreeSet<String> lines, String label, String uid, KeyGroupsStateHandle handle, ClassLoader loader) throws Exception {
        KeyedBackendSerializationProxy<?> proxy = new KeyedBackendSerializationProxy<>(loader);
        try (FSDataInputStream in = handle.openInputStream()) {
            proxy.read(new DataInputViewStreamWrapper(in));
        }
        for (StateMetaInfoSnapshot state : proxy.getStateMetaInfoSnapshots()) {
            if (state.getBackendStateType() == StateMetaInfoSnapshot.BackendStateType.PRIORITY_QUEUE) {
                lines.add(String.join("\t", label, uid, "timer", state.getName(), "priority queue", "-"));
                continue;
            }
            String kind = state.getOption(StateMetaInfoSnapshot.CommonOptionsKeys.KEYED_STATE_TYPE).toLowerCase();
            TypeSerializerSnapshot<?> value = state.getTypeSerializerSnapshot(StateMetaInfoSnapshot.CommonSerializerKeys.VALUE_SERIALIZER);
            lines.add(String.join("\t", label, uid, "keyed", state.getName(), kind, hasTtl(value.restoreSerializer()) ? "ttl" : "no ttl"));
        }
    }

    /** A state with a TTL stores a time beside its value, which shows in its serializer only. */
    private static boolean hasTtl(TypeSerializer<?> serializer) throws Exception {
        if (serializer instanceof MapSerializer) {
            return hasTtl(((MapSerializer<?, ?>) serializer).getValueSerializer());
        }
        if (serializer instanceof ListSerializer) {
            return hasTtl(((ListSerializer<?>) serializer).getElementSerializer());
        }
        String name = serializer.getClass().getName();
        if (name.endsWith("TtlAwareSerializer")) {
            return (boolean) serializer.getClass().getMethod("isTtlEnabled").invoke(serializer);
        }
        return name.endsWith("TtlSerializer");
    }

    /** An operator's id is a hash of its uid, so the uids that the plan can have are hashed and looked up. */
    private static Map<OperatorID, String> uids(String plan) throws Exception {
        Map<OperatorID, String> uids = new HashMap<>();
        List<String> ids = new ArrayList<>();
        Matcher id = Pattern.compile("\"id\" *: *(\\d+)").matcher(plan);
        while (id.find()) {
            ids.add(id.group(1));
        }
        for (String node : ids) {
            for (String transformation : TRANSFORMATIONS) {
                String uid = node + "_" + transformation;
                uids.put(operatorId(uid), uid);
            }
        }
        return uids;
    }

    private static OperatorID operatorId(String uid) throws Exception {
        for (int version = 25; version < 60; version++) {
            Class<?> hashing;
            try {
                hashing = Class.forName("org.apache.flink.shaded.guava" + version + ".com.google.common.hash.Hashing");
            } catch (ClassNotFoundException e) {
                continue;
            }
            Object function = hashing.getMethod("murmur3_128", int.class).invoke(null, 0);
            Method hashString = Class.forName(hashing.getPackageName() + ".HashFunction").getMethod("hashString", CharSequence.class, java.nio.charset.Charset.class);
            hashString.setAccessible(true);
            Object code = hashString.invoke(function, uid, StandardCharsets.UTF_8);
            Method asBytes = Class.forName(hashing.getPackageName() + ".HashCode").getMethod("asBytes");
            asBytes.setAccessible(true);
            return new OperatorID((byte[]) asBytes.invoke(code));
        }
        throw new IllegalStateException("no hash function on the class path");
    }
}
