// The former name of scripts/layers.mjs, for tools that still call it.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const script = join(import.meta.dirname, 'layers.mjs')
process.exitCode = spawnSync(process.execPath, [script], { stdio: 'inherit' }).status ?? 1
