# Runs a caller's Python inside the sandbox with Playwright's API and only the standard library.
import ast, asyncio, base64, builtins, inspect, json, linecache, os, re, socket, sys, time, traceback, types

class Error(Exception):
    pass

class TimeoutError(Error):
    pass

SPECIAL = {
    'query_selector': '$', 'query_selector_all': '$$', 'eval_on_selector': '$eval', 'eval_on_selector_all': '$$eval',
}
PROPERTIES = {
    'url', 'context', 'contexts', 'pages', 'frames', 'main_frame', 'keyboard', 'mouse', 'touchscreen', 'first', 'last',
    'viewport_size', 'request', 'page', 'browser', 'parent_frame', 'status', 'ok', 'headers', 'status_text', 'frame',
    'method', 'resource_type', 'post_data', 'suggested_filename', 'version', 'type', 'clock', 'video',
}
METHODS_TOO = {('Keyboard', 'type'), ('Page', 'type'), ('Locator', 'type'), ('Frame', 'type'), ('ElementHandle', 'type'),
               ('Page', 'frame'), ('Page', 'request')}
PLAIN_MEMBERS = {'keyboard', 'mouse', 'touchscreen', 'request', 'clock'}

def camel(name):
    if name in SPECIAL:
        return SPECIAL[name]
    head, *rest = name.split('_')
    return head + ''.join(part[:1].upper() + part[1:] for part in rest)

class Ready:
    """A value that may be awaited, or used as it is."""
    def __init__(self, value):
        self.value = value
    def __await__(self):
        return self.value
        yield

class Mode:
    awaits = False

class Driver:
    def __init__(self):
        self.file = None
        self.count = 0
    def ask(self, number, method, args, get=False, later=False):
        if self.file is None:
            self.file = socket.socket(fileno=5).makefile('rwb')
        self.count += 1
        line = json.dumps({'id': self.count, 'object': number, 'method': method, 'args': args, 'get': get, 'later': later})
        self.file.write(line.encode() + b'\n')
        self.file.flush()
        answer = self.file.readline()
        if not answer:
            self.file = None
            raise Error('The browser of this session does not respond')
        answer = json.loads(answer)
        if 'error' in answer:
            wrong = answer['error']
            raise (TimeoutError if wrong['name'] == 'TimeoutError' else Error)(wrong['message'])
        return unpacked(answer['result'])

driver = Driver()

def unpacked(value):
    if 'bytes' in value:
        return base64.b64decode(value['bytes'])
    if 'list' in value:
        return [unpacked(one) for one in value['list']]
    if 'object' in value:
        return Remote(value['object'], value['kind'])
    return value['value']

def packed(value):
    if isinstance(value, Remote):
        return {'__object': value._number}
    if isinstance(value, (bytes, bytearray)):
        return {'__bytes': base64.b64encode(bytes(value)).decode()}
    if isinstance(value, re.Pattern):
        return {'__pattern': value.pattern, '__flags': 'i' if value.flags & re.I else ''}
    if isinstance(value, (list, tuple, set)):
        return [packed(one) for one in value]
    if isinstance(value, dict):
        return {str(name): packed(one) for name, one in value.items()}
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value

def arguments(method, args, options):
    args = [packed(one) for one in args]
    options = {camel(name): packed(one) for name, one in options.items() if one is not None}
    if method == 'selectOption':
        chosen = {name: options.pop(name) for name in ('label', 'index') if name in options}
        if 'value' in options:
            args.append(options.pop('value'))
        elif chosen:
            several = {name: one if isinstance(one, list) else [one] for name, one in chosen.items()}
            args.append([{name: one} for name, ones in several.items() for one in ones])
    for name in ('expression', 'arg', 'selector', 'url', 'text', 'key', 'state', 'timeout'):
        if name in options and method in POSITIONAL and name in POSITIONAL[method]:
            args.append(options.pop(name))
    return args + ([options] if options else [])

POSITIONAL = {
    'evaluate': ('expression', 'arg'), 'goto': ('url',), 'locator': ('selector',), 'waitForSelector': ('selector',),
    'waitForLoadState': ('state',), 'waitForTimeout': ('timeout',), 'press': ('key',), 'getByText': ('text',),
}

EXPECTED = {
    'expect_popup': 'page', 'expect_page': 'page', 'expect_download': 'download', 'expect_navigation': None,
}

class Expected:
    """What comes while the block runs: a page that opens, a download, or the navigation that it starts."""
    def __init__(self, owner, event, timeout=30000):
        self.owner, self.event, self.timeout, self.value = owner, event, timeout, None
    def __enter__(self):
        if self.event:
            on = self.owner
            if self.event == 'page' and on._kind != 'BrowserContext':
                on = driver.ask(on._number, 'context', [])
            self.waiting = driver.ask(on._number, 'waitForEvent', [self.event, {'timeout': self.timeout}], later=True)
        return self
    def __exit__(self, kind, *_):
        if kind is not None:
            return False
        if not self.event:
            driver.ask(self.owner._number, 'waitForLoadState', [])
            return False
        came = driver.ask(self.waiting._number, 'settle', [])
        if self.event == 'page':
            driver.ask(came._number, 'waitForLoadState', [])
        self.value = Ready(came) if Mode.awaits else came
        return False
    async def __aenter__(self):
        return self.__enter__()
    async def __aexit__(self, *what):
        return self.__exit__(*what)

class Remote:
    def __init__(self, number, kind):
        self._number, self._kind = number, kind
    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        if name in EXPECTED:
            def expect(*given, timeout=30000, **options):
                if any(callable(one) for one in (*given, options.get('predicate'))):
                    raise Error('%s takes no predicate here: look at what came, and expect the next one' % name)
                return Expected(self, EXPECTED[name], timeout)
            return expect
        method = camel(name)
        if name in PROPERTIES and (self._kind, name) not in METHODS_TOO:
            return driver.ask(self._number, method, [], True) if name in PLAIN_MEMBERS else self._read(method)
        def call(*args, **options):
            value = driver.ask(self._number, method, arguments(method, args, options))
            immediate = name.startswith('get_by_') or name in ('locator', 'nth', 'filter', 'frame_locator', 'and_', 'or_')
            return value if immediate or not Mode.awaits else Ready(value)
        return call
    def _read(self, method):
        return driver.ask(self._number, method, [])
    def __eq__(self, other):
        return isinstance(other, Remote) and other._number == self._number
    def __hash__(self):
        return hash(self._number)
    def __repr__(self):
        return '<%s>' % self._kind

scope = {'__name__': '__main__', '__builtins__': builtins, 'asyncio': asyncio}

def connect():
    if 'browser' not in scope:
        scope['browser'] = driver.ask(0, '', [])
    scope['context'] = scope['browser'].contexts[0]
    page = scope.get('page')
    if isinstance(page, Remote) and page._kind == 'Page' and not driver.ask(page._number, 'isClosed', []):
        return
    pages = scope['context'].pages
    scope['page'] = pages[0] if pages else driver.ask(scope['context']._number, 'newPage', [])

def as_text(value):
    if value is None or value == '':
        return None
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(value)

loop = asyncio.new_event_loop()

def evaluate(code, flags):
    work = types.FunctionType(code, scope)
    if code.co_flags & inspect.CO_COROUTINE:
        return loop.run_until_complete(work())
    return eval(code, scope)

def run(text):
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    tree = compile(text, 'code.py', 'exec', flags | ast.PyCF_ONLY_AST)
    linecache.cache['code.py'] = (len(text), None, text.splitlines(True), 'code.py')
    Mode.awaits = any(isinstance(node, (ast.Await, ast.AsyncWith, ast.AsyncFor)) for node in ast.walk(tree))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], (ast.Expr, ast.Return)) else None
    if tree.body:
        evaluate(compile(tree, 'code.py', 'exec', flags), flags)
    if last is None or last.value is None:
        return None
    value = evaluate(compile(ast.Expression(last.value), 'code.py', 'eval', flags), flags)
    if isinstance(value, Ready):
        value = value.value
    elif inspect.isawaitable(value):
        value = loop.run_until_complete(value)
    return value

MAX_RESULT_CHARS = 1000000

def serve():
    requests, answers = os.fdopen(4, 'r', encoding='utf-8'), os.fdopen(3, 'w', encoding='utf-8', errors='replace')
    def answer(message):
        answers.write(json.dumps(message, ensure_ascii=False) + '\n')
        answers.flush()
    answer({'ready': True})
    for line in requests:
        request = json.loads(line)
        outcome = {'result': None, 'exitCode': 0, 'truncated': False}
        try:
            connect()
            result = as_text(run(request['code']))
            outcome['truncated'] = result is not None and len(result) > MAX_RESULT_CHARS
            outcome['result'] = result and result[:MAX_RESULT_CHARS]
        except SystemExit as end:
            outcome['exitCode'] = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except BaseException as error:
            stack = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == 'code.py']
            sys.stderr.write(''.join(traceback.format_list(stack)))
            sys.stderr.write(''.join(traceback.format_exception_only(type(error), error)))
            outcome['exitCode'] = 1
        # To the descriptors themselves: the code may have put something else in place of sys.stdout.
        for number, output in ((1, sys.stdout), (2, sys.stderr)):
            try:
                output.flush()
                os.write(number, request['mark'].encode())
            except (OSError, ValueError, AttributeError):
                pass
        answer(outcome)

serve()
