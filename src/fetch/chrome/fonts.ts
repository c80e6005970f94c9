// Fonts for our browsers: the system's, the user's, the data folder's, then the bundled ones.

import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { escapeHtml } from '../../base/escape-html.ts'
import { once } from '../../base/values.ts'

const SYSTEM_CONF = '/etc/fonts/fonts.conf'
const FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts', '/usr/X11R6/lib/X11/fonts', '/Library/Fonts']
const HOME_FOLDERS = ['.fonts', '.local/share/fonts', 'Library/Fonts']
const MAX_DEPTH = 5
const MAX_FOLDERS = 2000
const EAST_ASIAN =
  /cjk|noto(?:sans|serif)(?:mono)?(?:sc|tc|hk|jp|kr)(?![a-z])|source-?han|wqy|wenquan|droidsansfallback|uming|ukai|arphic|takao|ipa(?:ex)?[gm]|vl-?gothic|mplus|nanum|baekmuk|unbatang|undotum|unifont|pingfang|hiragino|applesdgothic|msyh|simsun|meiryo|malgun/i
const FONT_FILE = /\.(?:ttf|ttc|otf|otc|pcf(?:\.gz)?)$/i

export const EAST_ASIAN_TEXT = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]/
export const NO_EAST_ASIAN_FONT =
  'No font for Chinese, Japanese and Korean is installed, so screenshots show boxes for them unless a page brings its own; `orb doctor` prints the fix.'

const fontFolders = (dataDir: string): string[] => [
  ...FOLDERS,
  ...HOME_FOLDERS.map((folder) => join(homedir(), folder)),
  resolve(dataDir, 'fonts'),
]

/** Checked once, by file name: fonts are not installed under a running browser. */
export const makeEastAsianFontCheck = (dataDir: string): (() => Promise<boolean>) =>
  once(() => hasFonts(fontFolders(dataDir)))

/**
 * Writes the fontconfig file and returns its path: our browsers have no home folder. The font cache beside it serves
 * the next browser.
 */
export async function writeFontsConf(dataDir: string, packaged: string | undefined): Promise<string> {
  const folder = resolve(dataDir, 'browser')
  const file = join(folder, 'fonts.conf')
  const folders = [...fontFolders(dataDir), ...(packaged ? [packaged] : [])]
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
    '<fontconfig>',
    `  <include ignore_missing="yes">${SYSTEM_CONF}</include>`,
    ...folders.map((path) => `  <dir>${escapeHtml(path)}</dir>`),
    `  <cachedir>${escapeHtml(join(folder, 'fonts-cache'))}</cachedir>`,
    '</fontconfig>',
  ]
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(file, `${lines.join('\n')}\n`)
  return file
}

async function hasFonts(folders: readonly string[]): Promise<boolean> {
  let level = folders
  let seen = 0
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = []
    for (const folder of level) {
      if (++seen > MAX_FOLDERS) return false
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
      if (entries.some(({ name }) => FONT_FILE.test(name) && EAST_ASIAN.test(name))) return true
      next.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name)))
    }
    level = next
  }
  return false
}
