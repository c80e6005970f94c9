// `node scripts/slim.mjs`, in an image: takes out of node_modules what no service reads: maps, types, docs, and native files
// for other machines. Only for a folder of production packages that nobody develops in.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(process.cwd(), 'node_modules')
const UNREAD = /\.(?:map|d\.[cm]?ts|md|markdown|flow)$/i
const NATIVE = /(?:^|[./-])(?:linux|darwin|win32|freebsd|android)[-.](?:x64|arm64|arm|ia32)[^/]*\.node$/
const mine = new RegExp(`${process.platform}[-.]${process.arch}\\b`)

let bytes = 0
for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  const isLicence = /licen[cs]e|copying|notice/i.test(path)
  if (isLicence || !(UNREAD.test(path) || (NATIVE.test(path) && !mine.test(path)))) continue
  const file = join(folder, path)
  const { size, isFile } = facts(file)
  if (!isFile) continue
  rmSync(file)
  bytes += size
}
console.log(`node_modules: ${Math.round(bytes / 1048576)} MB taken out`)

function facts(file) {
  const found = statSync(file, { throwIfNoEntry: false })
  return { size: found?.size ?? 0, isFile: found?.isFile() ?? false }
}
