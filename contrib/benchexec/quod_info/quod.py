"""
BenchExec tool-info module for Quod.

Use it without installing anything:

    PYTHONPATH=contrib/benchexec benchexec definition.xml     # with <benchmark tool="quod_info.quod">
    PYTHONPATH=contrib/benchexec python3 -m benchexec.test_tool_info quod_info.quod
"""

import re

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    """Quod answers with its last line: `Result: TRUE`, `Result: FALSE(what)` or `Result: UNKNOWN (reason)`."""

    _FALSE = {
        "unreach-call": result.RESULT_FALSE_REACH,
        "valid-free": result.RESULT_FALSE_FREE,
        "valid-deref": result.RESULT_FALSE_DEREF,
        "valid-memtrack": result.RESULT_FALSE_MEMTRACK,
        "valid-memcleanup": result.RESULT_FALSE_MEMCLEANUP,
        "no-overflow": result.RESULT_FALSE_OVERFLOW,
        "no-data-race": result.RESULT_FALSE_DATARACE,
        "termination": result.RESULT_FALSE_TERMINATION,
    }
    _EXIT_CODES = {2: "ERROR (usage)", 4: "ERROR (does not compile)", 70: "ERROR (internal)"}

    def executable(self, tool_locator):
        try:
            return tool_locator.find_executable("quod")
        except benchexec.tools.template.ToolNotFoundException:
            return tool_locator.find_executable("quod", subdir="bin")

    def version(self, executable):
        # "quod 0.1.0", or the same with a commit in parentheses
        text = self._version_from_tool(executable)
        match = re.search(r"\d\S*", text)
        return match.group(0) if match else text

    def name(self):
        return "Quod"

    def cmdline(self, executable, options, task, rlimits):
        witness = (task.options or {}).get("witness_input_file") if isinstance(task.options, dict) else None
        command = [executable, "validate" if witness else "verify", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        if model and "--data-model" not in options:
            command += ["--data-model", model]
        if rlimits.cputime and "--timeout" not in options:
            # A little earlier than the limit, so that an answer is still given; four cores use it up faster.
            command += ["--timeout", f"{max(1, int(rlimits.cputime) - 5)}s"]
        inputs = [str(name) for name in task.input_files_or_identifier]
        if witness:
            # `quod validate WITNESS PROGRAM`
            is_witness = lambda name: name == witness or name.endswith("/" + witness)
            inputs = [n for n in inputs if is_witness(n)] + [n for n in inputs if not is_witness(n)]
        return command + inputs

    def determine_result(self, run):
        for line in reversed(list(run.output)):
            line = line.strip()
            if line == "Result: TRUE":
                return result.RESULT_TRUE_PROP
            match = re.match(r"Result: FALSE\(([a-z-]+)\)$", line)
            if match:
                what = match.group(1)
                return self._FALSE.get(what, f"{result.RESULT_FALSE_PROP}({what})")
            if line.startswith("Result: UNKNOWN"):
                return result.RESULT_UNKNOWN
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        return self._EXIT_CODES.get(run.exit_code.value, result.RESULT_ERROR)

    def get_value_from_output(self, output, identifier):
        for line in output:
            match = re.match(re.escape(identifier) + r"\s*[:=]\s*(.*)", line.strip())
            if match:
                return match.group(1)
        return None
