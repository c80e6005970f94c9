// Modules of src/ and test/ for scripts and benches: they are TypeScript, which Node 20 does not read by itself.
import { join } from 'node:path'
import { createServer } from 'vite'
import { root } from './setup.mjs'

/** `load('test/x.ts')` gives its exports, until `close()`. */
export async function openModules(plugins = []) {
  const vite = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    plugins,
  })
  return { load: (path) => vite.ssrLoadModule(join(root, path)), close: () => vite.close() }
}
