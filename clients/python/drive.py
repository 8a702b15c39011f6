"""The driver protocol of `wirecheck client --driver`: a JSON line in per scenario, a JSON line out, in any order."""
import json
import sys
import threading

printing = threading.Lock()
output = sys.stdout
# SDKs print warnings.
sys.stdout = sys.stderr


def answer(calls, task):
    call = calls.get(task["mode"])
    if call is None:
        return {"unsupported": True}
    try:
        return {"ok": True, **call(task)}
    except Exception as error:
        return {"ok": False, "error": f"{type(error).__name__}: {error}"}


def run(calls, task):
    line = json.dumps({"scenario": task["scenario"], **answer(calls, task)})
    with printing:
        print(line, file=output, flush=True)


def drive(calls):
    threads = []
    for line in sys.stdin:
        threads.append(threading.Thread(target=run, args=(calls, json.loads(line))))
        threads[-1].start()
    for thread in threads:
        thread.join()
