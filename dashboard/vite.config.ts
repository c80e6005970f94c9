// How the dashboard's page is built: plain files beside the compiled service, served by src/api/dashboard.ts.
import { defineConfig } from 'vite'

export default defineConfig({
  // Relative: a reverse proxy may serve the page under a path.
  base: './',
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page allows no inline script, and an inlined picture would not be cached.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
})
