// The browsable reference at /docs: Swagger UI, served from this process, reading /openapi.json. Nothing comes from
// elsewhere, so it works offline.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

export async function registerDocs(server: FastifyInstance): Promise<void> {
  await server.register(swagger, { mode: 'static', specification: { document: { openapi: '3.1.0' } as never } })
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { url: '/openapi.json', deepLinking: true, docExpansion: 'list', persistAuthorization: true },
    theme: { title: 'Orbweaver API' },
  })
}
