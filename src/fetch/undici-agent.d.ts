// The package declares the types of its index only.
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici'
  // biome-ignore lint/style/noDefaultExport: a CommonJS module with one export
  export default Agent
}
