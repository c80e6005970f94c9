// A dialog of the browser's own kind: it keeps the focus, closes on Escape, and gives the focus back.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Picture } from './icons.tsx'

export function Dialog({ title, onClose, children }: { title: string; onClose(): void; children: ComponentChildren }) {
  const id = useId()
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    element.current?.showModal()
  }, [])
  return (
    <dialog ref={element} aria-labelledby={id} onClose={onClose}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="button plain icon" aria-label="Close" onClick={() => element.current?.close()}>
          <Picture name="close" />
        </button>
      </div>
      <div class="card-body">{children}</div>
    </dialog>
  )
}

/** Asks before what cannot be undone. */
export function Confirm({
  title,
  children,
  action,
  onYes,
  onClose,
}: {
  title: string
  children: ComponentChildren
  action: string
  onYes(): void
  onClose(): void
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div class="row">
        <button
          type="button"
          class="button danger"
          onClick={() => {
            onYes()
            onClose()
          }}
        >
          {action}
        </button>
        <button type="button" class="button plain" onClick={onClose}>
          Keep it
        </button>
      </div>
    </Dialog>
  )
}
