// Part of the build: each program of the service as a few files, with the packages that it loads at once. A start then
// reads fifty files instead of two thousand, and takes half the time. Programs are put where tsc wrote them; the modules
// that tsc wrote beside them are for the benches, and are not in the npm package.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, posix, relative } from 'node:path'
import { sbomOf } from './sbom.mjs'
import { root } from './setup.mjs'

/** What is started by its name: the service, its threads and children, and what bin/ loads. */
export const programs = [
  'main',
  'fetch/open-browser-services',
  'fetch/threats/reputation-list-worker',
  'scrape/media/media-child',
  'scrape/workshop/document-child',
  'scrape/workshop/content-worker',
  'search/build-thread',
  'search/find-thread',
  'store/check-sqlite-integrity-worker',
  'store/sweep-worker',
]

/**
 * The packages that stay outside, and that users install: those with native code, WASM, threads or files beside their code,
 * and those that code of callers loads. They are the `dependencies` of package.json; all others are for building.
 */
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const installed = new Set(Object.keys(dependencies))

const dist = join(root, 'dist')
const packageOf = (id) => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]
const isBare = (id) => /^[@a-z]/i.test(id) && !id.startsWith('node:')

/** Stands for the address of a module, wherever it is bundled to: what it names relative to itself lies beside that. */
const PLACE = '__place_of__'
const ownPlaces = {
  name: 'own-places',
  transform: {
    filter: { code: /import\.meta\.url/, id: /\/src\// },
    handler(code, id) {
      const path = relative(join(root, 'src'), id).replace(/\.ts$/, '.js')
      return code.replaceAll('import.meta.url', `${PLACE}(${JSON.stringify(path)})`)
    },
  },
  renderChunk(code, { fileName }) {
    return code.replace(new RegExp(`${PLACE}\\("([^"]+)"\\)`, 'g'), (_, path) => {
      const way = `./${posix.relative(posix.dirname(fileName), path)}`
      return `new URL(${JSON.stringify(way)}, import.meta.url).href`
    })
  },
}

/** What Tesseract names in its code and never needs here: a fetch that Node has, and the folder of its own thread. */
const withoutUnused = {
  name: 'without-unused',
  resolveId: (id) => (id === 'node-fetch' ? '\0unused' : null),
  load: (id) => (id === '\0unused' ? 'export default undefined' : null),
  transform: {
    filter: { id: /tesseract\.js\/src\/worker\/node\/defaultOptions/ },
    handler: (code) => code.replace('__dirname', "''"),
  },
}

/** Its package has twelve engines of 44 MB in all. The service loads one of these three, by what the processor can do. */
const OCR_ENGINES = ['tesseract-core-lstm', 'tesseract-core-simd-lstm', 'tesseract-core-relaxedsimd-lstm']
const ocrFolder = join(dist, 'scrape/workshop/ocr-thread')

/** The thread of Tesseract with its engines beside it; they are CommonJS. Returns the modules inside. */
async function bundleOcrThread(rolldown) {
  const packages = join(root, 'node_modules')
  const besideThread = {
    name: 'engines-beside-thread',
    // In Node the thread asks for the engines that also have the old recogniser, which is never switched on.
    resolveId(id) {
      const [, name] = /^tesseract\.js-core\/(.+?)(?:-lstm)?$/.exec(id) ?? []
      return name ? { id: `./${name}-lstm.cjs`, external: true } : null
    },
  }
  rmSync(ocrFolder, { recursive: true, force: true })
  const bundle = await rolldown({
    input: { index: join(packages, 'tesseract.js/src/worker-script/node/index.js') },
    platform: 'node',
    plugins: [besideThread, withoutUnused],
  })
  const { output } = await bundle.write({
    dir: ocrFolder,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    codeSplitting: false,
    comments: false,
  })
  for (const name of OCR_ENGINES) {
    copyFileSync(join(packages, 'tesseract.js-core', `${name}.js`), join(ocrFolder, `${name}.cjs`))
    copyFileSync(join(packages, 'tesseract.js-core', `${name}.wasm`), join(ocrFolder, `${name}.wasm`))
  }
  return [...output.flatMap(({ moduleIds = [] }) => moduleIds), join(packages, 'tesseract.js-core/index.js')]
}

/** The folders of the packages that are bundled. */
const foldersOf = (moduleIds) =>
  [...new Set(moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []))].sort()

/** The licences of the packages inside, as they ask for. */
function licencesOf(folders) {
  return folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = existsSync(folder) && readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`
    return `${name} ${version}\n\n${text}\n`
  })
}

/** Programs of other kinds: what runs inside pages and sandboxes is read as a file, and lies where it does in `src`. */
function copyAssets() {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((one) => /\.(?:c?js|py|sh)$/.test(one))) {
    mkdirSync(dirname(join(dist, file)), { recursive: true })
    copyFileSync(join(root, 'src', file), join(dist, file))
  }
}

if (process.argv[1] === import.meta.filename) {
  copyAssets()
  const { rolldown } = await import('rolldown')
  rmSync(join(dist, 'chunks'), { recursive: true, force: true })
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map((name) => [name, join(root, 'src', `${name}.ts`)])),
    platform: 'node',
    external: (id) => isBare(id) && installed.has(packageOf(id)),
    plugins: [ownPlaces, withoutUnused],
  })
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // One character above U+00FF makes V8 store the whole file with two bytes each: 9 MB of an idle service.
    charset: 'ascii',
    comments: false,
  })
  const own = new Set(output.map(({ fileName }) => fileName))
  const strangers = output
    .flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports])
    .filter((id) => isBare(id) && !own.has(id) && !installed.has(packageOf(id)) && !isBuiltin(id))
  if (strangers.length > 0)
    throw new Error(`the service loads what nobody installs: ${[...new Set(strangers)].join(', ')}`)
  const ocrModules = await bundleOcrThread(rolldown)
  const folders = foldersOf([...output.flatMap(({ moduleIds = [] }) => moduleIds), ...ocrModules])
  writeFileSync(join(dist, 'licences.txt'), licencesOf(folders).join(`\n${'-'.repeat(80)}\n\n`))
  const sbom = sbomOf(folders.map((folder) => relative(root, folder)))
  writeFileSync(join(dist, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 1)}\n`)
  for (const name of programs) rmSync(join(dist, `${name}.js.map`), { force: true })
}
