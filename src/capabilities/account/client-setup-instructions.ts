// The clients that people point at this service, and what each needs to be told.

type ServiceAddress = { url: string; key: string }

interface ClientSetup {
  id: string
  title: string
  where: string
  text(at: ServiceAddress): string
  note?: string
}

/** Clients of the Model Context Protocol, with the key of their settings that lists servers. */
interface McpClientSetup extends ClientSetup {
  list: string
  entry(at: ServiceAddress): object
}

const authorization = ({ key }: ServiceAddress) => ({ Authorization: `Bearer ${key}` })
const byHttp = (at: ServiceAddress) => ({ type: 'http', url: `${at.url}/mcp`, headers: authorization(at) })
const byAddress = (at: ServiceAddress) => ({ url: `${at.url}/mcp`, headers: authorization(at) })
const byProgram = ({ url, key }: ServiceAddress) => ({
  command: 'npx',
  args: ['-y', 'orbweaver', 'mcp'],
  env: { ORB_URL: url, ORB_API_KEY: key },
})

const mcp = (
  id: string,
  title: string,
  where: string,
  entry: (at: ServiceAddress) => object,
  list = 'mcpServers',
): McpClientSetup => ({
  ...{ id, title, where, list, entry },
  text: (at) => JSON.stringify({ [list]: { orbweaver: entry(at) } }, null, 2),
})

export const mcpClientSetups: readonly McpClientSetup[] = [
  mcp('claude', 'Claude Code', '~/.claude.json', byHttp),
  mcp('claude-desktop', 'Claude Desktop', 'claude_desktop_config.json', byProgram),
  mcp('cursor', 'Cursor', '~/.cursor/mcp.json', byAddress),
  mcp('vscode', 'VS Code', 'mcp.json of the user', byHttp, 'servers'),
  mcp('windsurf', 'Windsurf', '~/.codeium/windsurf/mcp_config.json', (at) => ({
    serverUrl: `${at.url}/mcp`,
    headers: authorization(at),
  })),
  mcp('zed', 'Zed', '~/.config/zed/settings.json', byAddress, 'context_servers'),
  mcp('cline', 'Cline', 'cline_mcp_settings.json', (at) => ({ ...byHttp(at), type: 'streamableHttp' })),
]

const environment = ({ url, key }: ServiceAddress) => `FIRECRAWL_API_URL=${url}\nFIRECRAWL_API_KEY=${key}`

const otherClients: readonly ClientSetup[] = [
  {
    id: 'n8n',
    title: 'n8n',
    where: 'Credentials → Firecrawl API',
    text: ({ url, key }) => `Base URL  ${url}/v2\nAPI Key   ${key}`,
  },
  {
    id: 'dify',
    title: 'Dify',
    where: 'Settings → Data Source → Firecrawl',
    text: ({ url, key }) => `Base URL  ${url}\nAPI Key   ${key}`,
  },
  {
    id: 'flowise',
    title: 'Flowise',
    where: 'Credentials → FireCrawl API',
    text: ({ url, key }) => `FireCrawl API URL  ${url}\nFireCrawl API Key  ${key}`,
  },
  {
    id: 'open-webui',
    title: 'Open WebUI',
    where: 'Environment of the container',
    text: ({ url, key }) =>
      `FIRECRAWL_API_BASE_URL=${url}\nFIRECRAWL_API_KEY=${key}\nWEB_LOADER_ENGINE=firecrawl\nWEB_SEARCH_ENGINE=firecrawl`,
  },
  { id: 'librechat', title: 'LibreChat', where: '.env', text: environment },
  {
    id: 'langchain-js',
    title: 'LangChain (JavaScript)',
    where: 'Your program',
    text: ({ url, key }) =>
      `new FireCrawlLoader({ url: 'https://example.com', apiUrl: '${url}', apiKey: '${key}', mode: 'scrape' })`,
    note: 'Beside `@mendable/firecrawl-js` 1.x: with 4.x the loader throws with every server.',
  },
  {
    id: 'langchain-python',
    title: 'LangChain (Python)',
    where: 'Your program',
    text: ({ url, key }) =>
      `FireCrawlLoader(url="https://example.com", api_url="${url}", api_key="${key}", mode="scrape")`,
  },
  {
    id: 'llamaindex',
    title: 'LlamaIndex',
    where: 'Your program',
    text: ({ url, key }) => `FireCrawlWebReader(api_url="${url}", api_key="${key}", mode="scrape")`,
  },
  { id: 'crewai', title: 'CrewAI', where: 'Environment of your program', text: environment },
  {
    id: 'mastra',
    title: 'Mastra',
    where: 'Options of the Firecrawl browser',
    text: ({ url, key }) => `{ apiUrl: '${url}', apiKey: '${key}' }`,
  },
  {
    id: 'ai-sdk',
    title: 'AI SDK (firecrawl-aisdk)',
    where: 'Your program',
    text: ({ url, key }) => `const tools = { scrape: scrape({ apiUrl: '${url}', apiKey: '${key}' }) }`,
  },
]

export const clientSetups: readonly ClientSetup[] = [...otherClients, ...mcpClientSetups]
