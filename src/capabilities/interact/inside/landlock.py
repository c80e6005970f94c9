# Applies Landlock (system programs, our bundle, its own folder) and the seccomp filter, then execs the runner.
import ctypes, os, socket, struct, sys

libc = ctypes.CDLL(None, use_errno=True)

def fail(reason):
    sys.stderr.write('the sandbox cannot be built: %s\n' % reason)
    os._exit(71)

class Program(ctypes.Structure):
    _fields_ = [('length', ctypes.c_ushort), ('code', ctypes.c_void_p)]

def restrict_calls(code):
    held = ctypes.create_string_buffer(code, len(code))
    program = Program(len(code) // 8, ctypes.cast(held, ctypes.c_void_p))
    if libc.prctl(22, 2, ctypes.byref(program), 0, 0) != 0:
        fail('no seccomp filter can be set (%s)' % os.strerror(ctypes.get_errno()))

# Rights on files by the version of Landlock that the kernel offers.
EXECUTE, WRITE, READ, LIST, TRUNCATE, IOCTL = 1, 2, 4, 8, 1 << 14, 1 << 15
ALL_BY_VERSION = {3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
# Devices and sockets: neither is made in its folder.
MAKE_DEVICE_OR_SOCKET = (1 << 6) | (1 << 9) | (1 << 11)

def restrict_files(readable, folder):
    version = libc.syscall(444, None, ctypes.c_size_t(0), 1)
    if version < 3:
        fail('this kernel has no Landlock of version 3 or later')
    every = ALL_BY_VERSION[min(version, 5)]
    fields = [every] + [3] * ((version >= 4) + (version >= 6))
    ruleset = b''.join(struct.pack('Q', one) for one in fields)
    handle = libc.syscall(444, ruleset, ctypes.c_size_t(len(ruleset)), 0)
    if handle < 0:
        fail('no Landlock ruleset can be made')
    def allow(path, rights):
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return
        if not os.path.isdir(path):
            rights &= EXECUTE | WRITE | READ | TRUNCATE | IOCTL
        rule = struct.pack('=Qi', rights & every, place)
        if libc.syscall(445, handle, 1, rule, 0) != 0:
            fail('%s cannot be opened to it' % path)
        os.close(place)
    for path in readable:
        allow(path, EXECUTE | READ | LIST)
    # /dev/zero cannot be written: a shared mapping of it would be memory that no process is charged for.
    for path in ('/dev/zero', '/dev/random', '/dev/urandom'):
        allow(path, READ)
    for path in ('/dev/null', '/dev/full'):
        allow(path, READ | WRITE)
    allow(folder, every & ~MAKE_DEVICE_OR_SOCKET)
    if libc.syscall(446, handle, 0) != 0:
        fail('Landlock cannot be set (%s)' % os.strerror(ctypes.get_errno()))
    os.close(handle)

def try_to_leave():
    for kind in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX):
        try:
            socket.socket(kind, socket.SOCK_STREAM).close()
        except OSError:
            continue
        fail('a socket can be opened')
    for path in ('/etc/passwd', '/proc/1/environ', '/tmp'):
        try:
            os.close(os.open(path, os.O_RDONLY))
        except OSError:
            continue
        fail('%s can be read' % path)

folder, readable, filter_path, program = sys.argv[1], sys.argv[2].split(':'), sys.argv[3], sys.argv[4:]
if os.getuid() == 0 or os.geteuid() == 0:
    fail('it is still root')
if libc.prctl(38, 1, 0, 0, 0) != 0:
    fail('privileges could be gained')
libc.prctl(4, 0, 0, 0, 0)
os.umask(0o077)
os.chdir(folder)
with open(filter_path, 'rb') as file:
    code = file.read()
restrict_files(readable, folder)
restrict_calls(code)
try_to_leave()
os.execve(program[0], program, dict(os.environ))
