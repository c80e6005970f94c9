import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findChromium } from './find-chromium.ts'

const folder = mkdtempSync(join(tmpdir(), 'orb-binary-'))
afterAll(() => rmSync(folder, { recursive: true }))

function script(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, 0o755)
  return path
}

const found = async (path: string): Promise<string> => (await findChromium({ given: path, cacheDirs: [] })).path

describe('a script in the place of a browser', () => {
  const real = script('chromium', '#!/bin/sh\necho Chromium 156.0.1.2 "$HOME"\n')

  it.each([
    ['Debian', `#!/bin/sh -e\n\n${real} "$@"\n`],
    ['exec', `#!/bin/bash\n# Starts it.\nexec "${real}" "$@"`],
  ])('that only runs another program is that program: %s', async (_name, text) => {
    expect(await found(script('wrapper', text))).toBe(real)
  })

  it('names its version', async () => {
    expect((await findChromium({ given: real, cacheDirs: [] })).version).toBe('156.0.1.2')
  })

  it.each([
    ['settings', `#!/bin/sh\nexport A=1\n${real} "$@"\n`],
    ['flags', `#!/bin/sh\n${real} --headless "$@"\n`],
    ['a program that is missing', `#!/bin/sh\n/nonexistent/chromium "$@" || ${real} "$@"\n`],
  ])('that does more is run as it is: %s', async (_name, text) => {
    const wrapper = script('wrapper', text)
    expect(await found(wrapper)).toBe(wrapper)
  })
})
