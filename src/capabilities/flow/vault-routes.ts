// The vault: sign-ins that flows type and that no reply returns.

import { Problem } from '../../base/problem.ts'
import { validateInput } from '../../base/validate-input.ts'
import { defineRoute } from '../route.ts'
import { flowNameSchema, flowRemovedReply, vaultBody, vaultListReply, vaultReply } from './schema.ts'
import { flowStore } from './store/index.ts'

const tag = 'Vault'

const put = defineRoute({
  method: 'PUT',
  path: '/v2/vault/:name',
  summary: 'Store a sign-in, encrypted; it is never returned',
  tag,
  right: 'vault',
  command: 'vault set',
  bucket: 'account',
  body: vaultBody,
  example: { domain: 'shop.example.com', username: 'me@example.com', password: '…' },
  reply: vaultReply,
  async handle({ store }, { body, params }, { caller }) {
    const { origin: _, integration: __, ...entry } = body
    const name = validateInput(flowNameSchema, params.name)
    await flowStore(store).vault.put(caller.teamId, name, entry)
    return { success: true }
  },
})

const list = defineRoute({
  method: 'GET',
  path: '/v2/vault',
  summary: 'List the names in the vault',
  tag,
  right: 'vault',
  command: 'vault list',
  bucket: 'account',
  reply: vaultListReply,
  async handle({ store }, _input, { caller }) {
    const entries = await flowStore(store).vault.list(caller.teamId)
    return {
      success: true,
      entries: entries.map(({ updatedAt, ...facts }) => ({ ...facts, updatedAt: new Date(updatedAt).toISOString() })),
    }
  },
})

const remove = defineRoute({
  method: 'DELETE',
  path: '/v2/vault/:name',
  summary: 'Delete a sign-in from the vault',
  tag,
  right: 'vault',
  command: 'vault delete',
  bucket: 'account',
  reply: flowRemovedReply,
  async handle({ store }, { params }, { caller }) {
    if (!(await flowStore(store).vault.remove(caller.teamId, params.name ?? ''))) throw new Problem('vault_not_found')
    return { success: true }
  },
})

export const vaultRoutes = [put, list, remove]
