import contextlib, json, sys
from function import handler
event = json.load(sys.stdin)
with contextlib.redirect_stdout(sys.stderr):
    answer = handler(event, None)
print(json.dumps(answer))
