// The program that shuts code in where bubblewrap cannot: it gives up every way out and then becomes the program that runs
// the code. Files by Landlock (nothing but the system's programs, our kit and its own folder), and by a seccomp filter no
// sockets, no other processes' memory, no new namespaces. It tries its own walls before it goes on.

export const FENCE_PROGRAM = String.raw`
import ctypes, os, platform, socket, struct, sys

libc = ctypes.CDLL(None, use_errno=True)

def fail(words):
    sys.stderr.write('the walls do not stand: %s\n' % words)
    os._exit(71)

# Numbers of system calls: on x86-64, on arm64.
CALLS = {
    'socket': (41, 198), 'connect': (42, 203), 'ptrace': (101, 117), 'process_vm_readv': (310, 270),
    'process_vm_writev': (311, 271), 'unshare': (272, 97), 'setns': (308, 268), 'mount': (165, 40), 'umount2': (166, 39),
    'pivot_root': (155, 41), 'chroot': (161, 51), 'bpf': (321, 280), 'perf_event_open': (298, 241),
    'io_uring_setup': (425, 425), 'io_uring_enter': (426, 426), 'io_uring_register': (427, 427), 'userfaultfd': (323, 282),
    'keyctl': (250, 219), 'add_key': (248, 217), 'request_key': (249, 218), 'shmget': (29, 194), 'semget': (64, 190),
    'msgget': (68, 186), 'mq_open': (240, 180), 'kexec_load': (246, 104), 'init_module': (175, 105),
    'finit_module': (313, 273), 'reboot': (169, 142), 'swapon': (167, 224), 'open_by_handle_at': (304, 265),
    'name_to_handle_at': (303, 264), 'pidfd_getfd': (438, 438), 'move_mount': (429, 429), 'fsopen': (430, 430),
    'open_tree': (428, 428), 'mount_setattr': (442, 442), 'personality': (135, 92), 'acct': (163, 89), 'quotactl': (179, 60),
    'kcmp': (312, 272), 'process_madvise': (440, 440), 'migrate_pages': (256, 238), 'move_pages': (279, 239),
    'memfd_secret': (447, 447),
}
SOCKETPAIR, CLONE, CLONE3 = (53, 199), (56, 220), (435, 435)
machine = platform.machine()
if machine not in ('x86_64', 'aarch64'):
    fail('this processor is not known: ' + machine)
at = 0 if machine == 'x86_64' else 1
ARCH = (0xC000003E, 0xC00000B7)[at]

ALLOW, KILL, DENY, MISSING = 0x7FFF0000, 0x80000000, 0x00050000 | 13, 0x00050000 | 38
LOAD, EQUAL, BITS, ATLEAST, RETURN, AND = 0x20, 0x15, 0x45, 0x35, 0x06, 0x54
NEW_NAMESPACES = 0x7E020080

def filters():
    code = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, ARCH), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]
    if at == 0:
        code += [(ATLEAST, 0, 1, 0x40000000), (RETURN, 0, 0, KILL)]
    for numbers in CALLS.values():
        code += [(EQUAL, 0, 1, numbers[at]), (RETURN, 0, 0, DENY)]
    # The library falls back to the older call, whose flags can be read here.
    code += [(EQUAL, 0, 1, CLONE3[at]), (RETURN, 0, 0, MISSING)]
    code += [(EQUAL, 0, 4, CLONE[at]), (LOAD, 0, 0, 16), (BITS, 0, 1, NEW_NAMESPACES), (RETURN, 0, 0, DENY), (RETURN, 0, 0, ALLOW)]
    # Pairs of streams speak with each other and with nobody else; datagrams could be sent anywhere.
    code += [(EQUAL, 0, 5, SOCKETPAIR[at]), (LOAD, 0, 0, 24), (AND, 0, 0, 0xF), (EQUAL, 1, 0, 1), (RETURN, 0, 0, DENY), (RETURN, 0, 0, ALLOW)]
    return code + [(RETURN, 0, 0, ALLOW)]

class Program(ctypes.Structure):
    _fields_ = [('length', ctypes.c_ushort), ('code', ctypes.c_void_p)]

def shut_calls():
    code = filters()
    packed = b''.join(struct.pack('HBBI', *one) for one in code)
    room = ctypes.create_string_buffer(packed, len(packed))
    program = Program(len(code), ctypes.cast(room, ctypes.c_void_p))
    if libc.prctl(22, 2, ctypes.byref(program), 0, 0) != 0:
        fail('no seccomp filter can be set (%s)' % os.strerror(ctypes.get_errno()))

# Landlock: rights on files by the version of it that the kernel speaks.
EXECUTE, WRITE, READ, LIST = 1, 2, 4, 8
ALL_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
LOOK = EXECUTE | READ | LIST

def shut_files(open_to_read, own):
    version = libc.syscall(444, None, ctypes.c_size_t(0), 1)
    if version < 3:
        fail('this kernel has no Landlock of version 3 or later')
    every = ALL_BY_VERSION[min(version, 5)]
    fields = [every]
    if version >= 4:
        fields.append(3)
    if version >= 6:
        fields.append(3)
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
            rights &= EXECUTE | WRITE | READ | (1 << 14) | (1 << 15)
        rule = struct.pack('=Qi', rights & every, place)
        if libc.syscall(445, handle, 1, rule, 0) != 0:
            fail('%s cannot be opened to it' % path)
        os.close(place)
    for path in open_to_read:
        allow(path, LOOK)
    for path in ('/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'):
        allow(path, READ | WRITE)
    # Neither devices nor sockets are made in it.
    allow(own, every & ~((1 << 6) | (1 << 9) | (1 << 11)))
    if libc.syscall(446, handle, 0) != 0:
        fail('Landlock cannot be set (%s)' % os.strerror(ctypes.get_errno()))
    os.close(handle)

def try_walls():
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

own, readable, program = sys.argv[1], sys.argv[2].split(':'), sys.argv[3:]
if os.getuid() == 0 or os.geteuid() == 0:
    fail('it is still root')
if libc.prctl(38, 1, 0, 0, 0) != 0:
    fail('privileges could be gained')
libc.prctl(4, 0, 0, 0, 0)
os.umask(0o077)
os.chdir(own)
shut_files(readable, own)
shut_calls()
try_walls()
os.execve(program[0], program, dict(os.environ))
`
