// A dialog that asks for something, and one that shows a new key this once.
import type { ComponentChildren } from 'preact'
import { Copy } from './code.tsx'
import { Dialog } from './dialog.tsx'
import { Failure, Notice } from './states.tsx'

export const FormDialog = ({
  title,
  action,
  isReady,
  error,
  onSubmit,
  onClose,
  children,
}: {
  title: string
  /** What the button says. */
  action: string
  isReady: boolean
  error: Error | undefined
  onSubmit(): void
  onClose(): void
  children: ComponentChildren
}) => (
  <Dialog title={title} onClose={onClose}>
    {/* What is right is the service's to say. */}
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      {error && <Failure error={error} />}
      <div class="row">
        <button type="submit" class="button primary" disabled={!isReady}>
          {action}
        </button>
      </div>
    </form>
  </Dialog>
)

export const NewKeyShown = ({
  title,
  value,
  onClose,
  children,
}: {
  title: string
  value: string
  onClose(): void
  children: ComponentChildren
}) => (
  <Dialog title={title} onClose={onClose}>
    <Notice kind="good">
      <strong>Copy it now</strong>
      <span>{children}</span>
    </Notice>
    <SecretShown value={value} />
  </Dialog>
)

export const SecretShown = ({ value }: { value: string }) => (
  <div class="secret">
    <code>{value}</code>
    <Copy text={value} />
  </div>
)
