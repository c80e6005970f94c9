// Names the lines of a pasted list that are no address.
import { Notice } from '../parts/states.tsx'
import type { AddressList } from './addresses.ts'

export const Dropped = ({ dropped }: { dropped: AddressList['dropped'] }) =>
  dropped.length === 0 ? null : (
    <Notice kind="warn">
      <strong>{dropped.length === 1 ? 'One line is skipped' : `${dropped.length} lines are skipped`}</strong>
      <ul class="links">
        {dropped.slice(0, 5).map(({ line, text }) => (
          <li key={line} class="break">
            Line {line}: {text.slice(0, 120)} is not a URL
          </li>
        ))}
        {dropped.length > 5 && <li>and {dropped.length - 5} more</li>}
      </ul>
    </Notice>
  )
