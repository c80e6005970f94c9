// The memory of a hosted OAuth client that uses the released library; a person follows `kept.wanted`.
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { Json } from './service.ts'

export function hostedClient(redirectUrl: string): { provider: OAuthClientProvider; kept: Json } {
  const kept: Json = {}
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'Hosted', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    state: () => 'a state',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (url) => void Object.assign(kept, { wanted: url }),
    saveCodeVerifier: (text) => void Object.assign(kept, { verifier: text }),
    codeVerifier: () => kept.verifier,
  }
  return { provider, kept }
}
