// Tabs as the ARIA practices describe them: arrows move, the panel follows.
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

interface Tab {
  id: string
  label: string
}

export function Tabs({
  label,
  tabs,
  chosen,
  onChoose,
  children,
  aside,
}: {
  label: string
  tabs: readonly Tab[]
  chosen: string
  onChoose(id: string): void
  children: ComponentChildren
  aside?: ComponentChildren
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = (tabs.findIndex((tab) => tab.id === chosen) + step + tabs.length) % tabs.length
    onChoose(tabs[at]!.id)
    list.current?.querySelectorAll<HTMLButtonElement>('[role=tab]')[at]?.focus()
  }
  return (
    <>
      <div class="card-head">
        <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              type="button"
              role="tab"
              key={tab.id}
              id={`${id}-${tab.id}`}
              aria-selected={tab.id === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={tab.id === chosen ? 0 : -1}
              onClick={() => onChoose(tab.id)}
            >
              {tab.label}
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div class="card-body" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  )
}
