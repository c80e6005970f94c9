// What the code of one sandbox may use. The kernel enforces what it can (prlimit, tmpfs sizes, a cgroup where there is one);
// usage.ts measures the rest from outside.
import { existsSync } from 'node:fs'

const MB = 1024 * 1024

export const limits = {
  memoryBytes: 640 * MB,
  /** Processes and threads together; a runtime has a dozen threads. */
  tasks: 128,
  /** Files, pipes and sockets that all processes hold open: each may pin buffers that count as nobody's memory. */
  descriptors: 1024,
  files: 20_000,
  /** Of each of the two folders that it may write to. */
  folderBytes: 64 * MB,
  outputBytes: 16 * MB,
}

export const PRLIMIT = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path))

/**
 * RLIMIT_DATA bounds what one process can allocate between two measurements. RLIMIT_AS would not do: V8 reserves
 * gigabytes of address space that it never touches.
 */
export const resourceLimits = (): string[] => [
  `--data=${limits.memoryBytes + 384 * MB}`,
  `--nproc=${limits.tasks + 64}`,
  '--nofile=512',
  `--fsize=${limits.folderBytes}`,
  '--cpu=600',
  '--core=0',
  '--memlock=65536',
  '--msgqueue=0',
  '--sigpending=1024',
]
