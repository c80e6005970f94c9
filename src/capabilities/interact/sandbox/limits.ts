// Resource limits of a sandbox. The kernel enforces what it can (prlimit, tmpfs sizes, cgroup); measure-usage.ts measures the
// rest.
import { existsSync } from 'node:fs'

const MB = 1024 * 1024

export const sandboxLimits = {
  memoryBytes: 640 * MB,
  /** Processes and threads together; a runtime has a dozen threads. */
  tasks: 128,
  /** Open files, pipes and sockets of all processes: each may pin kernel buffers that are charged to no process. */
  descriptors: 1024,
  files: 20_000,
  /** Per writable folder. */
  folderBytes: 64 * MB,
  outputBytes: 16 * MB,
}

export const PRLIMIT_PATH = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path))

/**
 * RLIMIT_DATA bounds what one process can allocate between two measurements. RLIMIT_AS does not work: V8 reserves
 * gigabytes of unused address space.
 */
export const prlimitArguments = (): string[] => [
  `--data=${sandboxLimits.memoryBytes + 384 * MB}`,
  `--nproc=${sandboxLimits.tasks + 64}`,
  '--nofile=512',
  `--fsize=${sandboxLimits.folderBytes}`,
  '--cpu=600',
  '--core=0',
  '--memlock=65536',
  '--msgqueue=0',
  '--sigpending=1024',
]
