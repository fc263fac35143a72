//! NOD01..: files and their formats.

codes! {
    NOT_A_GRAPH = "NOD0101", "not a node graph",
        what: "Refuses a text that is in none of the formats that are read: this project's own JSON, O3DE Script Canvas, glTF with KHR_interactivity, Unreal Blueprint text, behave-graph, Unity Visual Scripting, Orchestrator for Godot.",
        why: "There is nothing that could be checked.",
        example: "{\"asset\": {\"version\": \"2.0\"}, \"meshes\": []}",
        fix: "Check the path. A glTF file needs the extension KHR_interactivity; a Blueprint is copied from the editor (select all, copy) and pasted into a text file.";
    JSON = "NOD0102", "not JSON",
        what: "Refuses a text that begins as JSON and then breaks its rules, or is nested deeper than 500 levels.",
        why: "What stands behind the mistake cannot be understood with certainty.",
        example: "{\"nodes\": [ {\"id\": 1,, } ]}",
        fix: "Save the file anew from the editor; by hand, mend it at the place shown.";
    CONTAINER = "NOD0103", "damaged glTF container",
        what: "Refuses a `.glb` file whose header or first chunk is not what glTF 2.0 asks for.",
        why: "The graph stands in that chunk.",
        example: "glTF and nothing else",
        fix: "Export the file again. A small text that names an object in large file storage is not the file itself.";
    OTHER_GRAPH = "NOD0104", "a format that is not read",
        what: "Refuses graphs of a sort or an age that is not read: Script Canvas files from before the JSON form (`ObjectStream`), Unreal's graphs of materials, particles and procedural content, which run nothing step by step, state graphs, scenes and prefabs of Unity, scenes and binary orchestrations of Godot, and JSON of other tools (n8n, Node-RED, ComfyUI, ...).",
        why: "They have no execution pins, or keep them in another way.",
        example: "Begin Object Class=/Script/UnrealEd.MaterialGraphNode Name=\"MaterialGraphNode_0\"\n  CustomProperties Pin (PinId=0A,PinName=\"Output\",)\nEnd Object",
        fix: "Open an old Script Canvas file in the editor and save it. Of a Blueprint, copy the event graph.";
    SHAPE = "NOD0105", "not the shape of the format",
        what: "Refuses a file in which something that the format demands is missing, or is of another type.",
        why: "The graph cannot be read with certainty.",
        example: "{\"nodes\": [{\"id\": \"0\", \"type\": 7, \"flows\": {}}]}",
        fix: "Save the file anew from the editor, or mend it at the place shown.";
    DANGLING = "NOD0106", "a link that leads nowhere",
        what: "Finds links to a node, a pin, a variable or an event that is not in the file. In text copied from an editor this is a warning: the rest of the graph was not copied along.",
        why: "A signal that leaves by such a link is lost, and what it would do is not checked.",
        example: "{\"nodes\": [{\"id\": \"0\", \"type\": \"lifecycle/onStart\", \"flows\": {\"flow\": {\"nodeId\": \"9\", \"socket\": \"flow\"}}}]}",
        fix: "Mend the link, or copy the whole graph.";
    TWICE = "NOD0107", "one name for two nodes",
        what: "Refuses a file in which two nodes have one identity.",
        why: "Links to it could mean either.",
        example: "{\"nodes\": [{\"id\": \"0\", \"type\": \"lifecycle/onStart\"}, {\"id\": \"0\", \"type\": \"debug/log\"}]}",
        fix: "Give one of them another identity.";
    SETTLED = "NOD0108", "something that the file leaves open",
        what: "Says what was assumed where a file is silent: the first value of a variable that is declared elsewhere, nodes that are switched off, handlers that are connected by default.",
        why: "A verdict is worth as much as its assumptions.",
        example: "Begin Object Class=/Script/BlueprintGraph.K2Node_VariableSet Name=\"Set_0\"\n  VariableReference=(MemberName=\"Open\",bSelfContext=True)\n  CustomProperties Pin (PinId=0A,PinName=\"execute\",PinType.PinCategory=\"exec\",)\n  CustomProperties Pin (PinId=0B,PinName=\"Open\",PinType.PinCategory=\"bool\",DefaultValue=\"true\",)\nEnd Object",
        fix: "Nothing, if the assumption is right.";
    RECURSION = "NOD0109", "a function that calls itself",
        what: "Finds functions and macros that reach themselves through calls, or calls nested deeper than 32.",
        why: "Each call is checked as a copy of the function, and there would be no end of copies. The inner call is taken as a node of unknown kind: it passes the signal on.",
        example: "Begin Object Class=/Script/BlueprintGraph.K2Node_FunctionEntry Name=\"Entry\" ExportPath=\"/Script/BlueprintGraph.K2Node_FunctionEntry'/Game/A.A:Open.Entry'\"\n  CustomProperties Pin (PinId=0A,PinName=\"then\",Direction=\"EGPD_Output\",PinType.PinCategory=\"exec\",LinkedTo=(Call 0B,),)\nEnd Object\nBegin Object Class=/Script/BlueprintGraph.K2Node_CallFunction Name=\"Call\" ExportPath=\"/Script/BlueprintGraph.K2Node_CallFunction'/Game/A.A:Open.Call'\"\n  FunctionReference=(MemberName=\"Open\",bSelfContext=True)\n  CustomProperties Pin (PinId=0B,PinName=\"execute\",PinType.PinCategory=\"exec\",)\nEnd Object\nBegin Object Class=/Script/BlueprintGraph.K2Node_CallFunction Name=\"First\" ExportPath=\"/Script/BlueprintGraph.K2Node_CallFunction'/Game/A.A:EventGraph.First'\"\n  FunctionReference=(MemberName=\"Open\",bSelfContext=True)\n  CustomProperties Pin (PinId=0C,PinName=\"execute\",PinType.PinCategory=\"exec\",)\nEnd Object",
        fix: "Replace the recursion by a loop.";
}
