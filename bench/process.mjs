// What a process cost: CPU seconds and resident memory of it and its children, read from /proc.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const TICKS = 100

const statOf = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return {
      parent: Number(fields[1]),
      // With what its ended children had used: the pages of a browser come and go as processes.
      cpu: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS,
      rss: Number(fields[21]) * 4096,
    }
  } catch {
    return undefined
  }
}

/** CPU seconds of a process's first thread alone: in the service, everything but content/. */
export function mainThreadCpu(pid) {
  const text = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

/** CPU seconds and resident bytes of a process tree, now. */
export function costOf(root) {
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), statOf(name)])
      .filter(([, stat]) => stat),
  )
  const tree = new Set([root])
  for (let grew = true; grew; ) {
    grew = false
    for (const [pid, { parent }] of all) {
      if (tree.has(parent) && !tree.has(pid)) {
        tree.add(pid)
        grew = true
      }
    }
  }
  let cpu = 0
  let rss = 0
  for (const pid of tree) {
    cpu += all.get(pid)?.cpu ?? 0
    rss += all.get(pid)?.rss ?? 0
  }
  return { cpu, rss }
}

/** Starts a program and resolves once its output matches. */
export function startUntil(args, pattern, env = {}) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  return new Promise((resolve, reject) => {
    const look = (chunk) => {
      output += chunk
      const found = pattern.exec(output)
      if (found) resolve({ child, found, output: () => output })
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}\n${output}`)))
  })
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
