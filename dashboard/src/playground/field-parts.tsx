// Types and help text that all kinds of form fields share.
import type { ComponentChildren } from 'preact'
import { WithCode } from '../parts/with-code.tsx'
import type { Schema } from './schema.ts'

export type Values = Record<string, unknown>

export interface FieldProps {
  name: string
  schema: Schema
  value: unknown
  required?: boolean
  onChange(value: unknown): void
}

export interface FieldsProps {
  fields: Record<string, Schema>
  required?: readonly string[]
  values: Values
  onChange(values: Values): void
}

/** Passed as a property to fields that contain fields, because the two would import each other. */
export type FieldsComponent = (props: FieldsProps) => ComponentChildren

export const Help = ({ text, id }: { text: string | undefined; id?: string }) =>
  text ? (
    <span class="help" id={id}>
      <WithCode text={text} />
    </span>
  ) : null
