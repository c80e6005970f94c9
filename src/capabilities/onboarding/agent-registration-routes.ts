// Registration of agents by identity assertion, and its discovery documents.
import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import { validateInput } from '../../base/validate-input.ts'
import { ASSERTION_TYPE, makeOauthProblem } from '../../teams/identity-assertions.ts'
import { registerIdentity } from '../../teams/register-identity.ts'
import { ReadyReply, type Route } from '../route.ts'
import { AUTH_SCOPE, writeAuthText, writeLoginSkillText } from './auth-and-login-skill-texts.ts'
import { oauthMetadata } from './oauth-routes.ts'
import { defineRoute, type HandlerServices } from './own-services.ts'

const REGISTRATIONS_A_MINUTE = 30
const registrationBody = z
  .strictObject({
    type: z.literal('identity_assertion'),
    assertion_type: z.string().max(256).describe(`\`${ASSERTION_TYPE}\`.`),
    assertion: z.string().min(1).max(20_000).describe('A signed JWT (ID-JAG).'),
    requested_credential_type: z.string().max(256).default('api_key').describe('`api_key`.'),
  })
  .describe('An agent with an identity assertion of a trusted issuer.')

function screen(body: unknown): void {
  try {
    validateInput(registrationBody, body ?? {})
  } catch (error) {
    throw error instanceof Problem ? makeOauthProblem('bad_request', 'invalid_request', error.message) : error
  }
}

const agentAuth = defineRoute({
  method: 'POST',
  path: '/agent/auth',
  summary: 'Register an agent by an identity assertion; off unless the operator trusts an issuer',
  screen,
  body: registrationBody,
  reply: z.object({
    registration_id: z.string(),
    registration_type: z.literal('identity_assertion'),
    credential_type: z.literal('api_key'),
    credential: z.string().describe('The key, shown this once.'),
    credential_expires: z.null(),
    scopes: z.array(z.string()),
  }),
  async handle({ store, rates, assertions, registrationPlan }, { body }, { address, baseUrl, signal }) {
    if (!assertions.isOn) throw makeOauthProblem('forbidden', 'access_denied', 'registration is switched off here')
    await rates.takeOpen(address, 'registration', REGISTRATIONS_A_MINUTE).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      const { message, retryAfterSeconds = 1 } = error
      throw new Problem('rate_limited', {
        instead: 'rate_limited',
        retryAfterSeconds,
        also: { error_description: message },
      })
    })
    if (body.assertion_type !== ASSERTION_TYPE)
      throw makeOauthProblem('bad_request', 'unsupported_assertion_type', `only ${ASSERTION_TYPE} is supported`)
    if (body.requested_credential_type !== 'api_key')
      throw makeOauthProblem('bad_request', 'unsupported_credential_type', 'only api_key is issued')
    const identity = await assertions.check(body.assertion, `${baseUrl}/`, signal)
    const { key, row } = await registerIdentity(store, identity, registrationPlan)
    return {
      registration_id: row.id,
      registration_type: 'identity_assertion',
      credential_type: 'api_key',
      credential: key,
      credential_expires: null,
      scopes: [AUTH_SCOPE],
    }
  },
})

interface Offered {
  /** Agents register by assertion. */
  isOn: boolean
  isOauthOn: boolean
}

/** Protected resource metadata (RFC 9728). */
const resource = (baseUrl: string, { isOn }: Offered, path = '/') => ({
  resource: `${baseUrl}${path}`,
  resource_name: 'Orbweaver',
  authorization_servers: [baseUrl],
  scopes_supported: [AUTH_SCOPE],
  bearer_methods_supported: ['header'],
  ...(isOn ? { agent_auth_uri: `${baseUrl}/agent/auth` } : {}),
})

/**
 * Authorization server metadata (RFC 8414). While OAuth is off, there is no authorization endpoint.
 */
const authorizationServer = (baseUrl: string, { isOn, isOauthOn }: Offered) => ({
  issuer: baseUrl,
  scopes_supported: [AUTH_SCOPE],
  response_types_supported: [],
  grant_types_supported: [],
  service_documentation: `${baseUrl}/auth.md`,
  ...(isOauthOn ? oauthMetadata(baseUrl) : {}),
  ...(isOn ? { agent_auth: offerOf(baseUrl) } : {}),
})

const offerOf = (baseUrl: string) => ({
  skill: `${baseUrl}/auth.md`,
  register_uri: `${baseUrl}/agent/auth`,
  identity_types_supported: ['identity_assertion'],
  identity_assertion: {
    assertion_types_supported: [ASSERTION_TYPE],
    credential_types_supported: ['api_key'],
  },
})

const resourceReply = z.object({
  resource: z.string(),
  resource_name: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  agent_auth_uri: z.string().optional().describe('Where agents register, when the operator trusts an issuer.'),
})

const serverReply = z.object({
  issuer: z.string(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  service_documentation: z.string(),
  authorization_endpoint: z.string().optional().describe('This and what follows: when OAuth is on.'),
  token_endpoint: z.string().optional(),
  registration_endpoint: z.string().optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  agent_auth: z
    .object({
      skill: z.string(),
      register_uri: z.string(),
      identity_types_supported: z.array(z.string()),
      identity_assertion: z.object({
        assertion_types_supported: z.array(z.string()),
        credential_types_supported: z.array(z.string()),
      }),
    })
    .optional(),
})

const MARKDOWN = { serves: ['text/markdown'] }

/** A discovery document; it depends on the base URL and on whether registration is enabled. */
const discoveryRoute = (
  path: string,
  summary: string,
  documentFor: (base: string, offered: Offered) => object,
  answers: { reply: z.ZodType } | { serves: readonly string[] },
): Route<HandlerServices> =>
  defineRoute({
    method: 'GET',
    path,
    summary,
    ...answers,
    handle: async ({ assertions, oauth }, _input, { baseUrl }) =>
      documentFor(baseUrl, { isOn: assertions.isOn, isOauthOn: oauth !== undefined }),
  })

const markdown =
  (write: (base: string, isOn: boolean) => string) =>
  (base: string, { isOn }: Offered): ReadyReply =>
    new ReadyReply(write(base, isOn), 'text/markdown; charset=utf-8')

export const agentRegistrationRoutes: readonly Route<HandlerServices>[] = [
  discoveryRoute(
    '/.well-known/oauth-protected-resource',
    'Where keys for this service come from (RFC 9728)',
    resource,
    {
      reply: resourceReply,
    },
  ),
  discoveryRoute(
    '/.well-known/oauth-protected-resource/mcp',
    'Where keys for the MCP server come from (RFC 9728)',
    (base, offered) => resource(base, offered, '/mcp'),
    { reply: resourceReply },
  ),
  discoveryRoute('/.well-known/oauth-authorization-server', 'How keys are issued (RFC 8414)', authorizationServer, {
    reply: serverReply,
  }),
  discoveryRoute(
    '/.well-known/oauth-authorization-server/:path',
    'The same, for a service below a path of its host',
    authorizationServer,
    { reply: serverReply },
  ),
  discoveryRoute('/auth.md', 'How to get a key, for people and agents', markdown(writeAuthText), MARKDOWN),
  discoveryRoute(
    '/agent-onboarding/SKILL.md',
    'How an agent logs in with a person’s help',
    markdown(writeLoginSkillText),
    MARKDOWN,
  ),
  agentAuth,
]
