export interface ProtocolDomain {
  domain: string
  commands?: { name: string; parameters?: { name: string }[] }[]
  types?: { id: string }[]
}

export function protocolDomains(): ProtocolDomain[]
export function protocolSchema(
  decisions?: object,
): Record<'browser' | 'page' | 'types', Record<string, Record<string, string>>>
export function schemaText(): string
