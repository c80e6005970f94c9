// Part of the build: a CycloneDX list of every package that the service contains, written to dist/sbom.cdx.json. Audits
// of the npm package see only what npm installs; this list also has what is bundled into our own files.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

/** Packages that a service fetches at their first use. */
const onDemand = new Set(Object.keys(JSON.parse(readFileSync(join(root, 'src/fetch/on-demand-packages.json'), 'utf8'))))

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Paths in package-lock.json of the packages that the dashboard's own build bundles, with their dependencies. */
function ofDashboard(packages) {
  const folder = join(root, 'dashboard/src')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  const imported = sources.flatMap((file) =>
    [
      ...readFileSync(join(folder, file), 'utf8').matchAll(
        /^(?:import [^']*|\} )from '((?:@[^/']+\/)?[^./'][^/']*)[^']*'$/gm,
      ),
    ].map(([, name]) => `node_modules/${name}`),
  )
  const found = new Set()
  const open = imported.filter((path) => path in packages)
  for (const path of open) {
    if (found.has(path)) continue
    found.add(path)
    open.push(...Object.keys(packages[path].dependencies ?? {}).map((name) => `node_modules/${name}`))
  }
  return found
}

function component(path, { version, license, integrity, optional }, isBundled) {
  const name = nameOf(path)
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const hash = /^sha512-(.+)$/.exec(integrity ?? '')?.[1]
  return {
    type: 'library',
    'bom-ref': isBundled ? `${purl}?bundled` : purl,
    name,
    version,
    scope: optional ? 'optional' : 'required',
    ...(hash ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] } : {}),
    ...(license ? { licenses: [{ expression: license }] } : {}),
    purl,
    properties: [{ name: 'orbweaver:bundled', value: String(isBundled) }],
  }
}

/** `bundled`: folders below node_modules whose code is in our own files. Without times, so that builds can be compared. */
export function sbomOf(bundled) {
  const { name, version, license, packages } = (({ packages, ...own }) => ({ ...own, ...packages[''], packages }))(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  )
  const inside = new Set([...bundled, ...ofDashboard(packages)])
  const installed = Object.entries(packages).filter(
    ([path, { dev, link }]) => path !== '' && !link && (!dev || onDemand.has(nameOf(path))),
  )
  const components = [
    ...installed.map(([path, facts]) => component(path, facts, false)),
    ...[...inside].filter((path) => path in packages).map((path) => component(path, packages[path], true)),
  ]
  const unique = new Map(components.map((one) => [one['bom-ref'], one]))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `${name}@${version}`,
        name,
        version,
        licenses: [{ expression: license }],
      },
    },
    components: [...unique.values()].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
  }
}
