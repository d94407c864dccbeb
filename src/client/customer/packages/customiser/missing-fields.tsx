import { Notice } from '#ui/feedback/notice.tsx'
import type { FieldProblem } from './customise-steps.ts'
import styles from './customiser.module.css'

/** Scrolls a field into view and focuses it. */
export const focusField = (fieldId: string): void => {
  const field = document.getElementById(fieldId)
  if (!field) return
  const calm = window.matchMedia?.('(prefers-reduced-motion: reduce)').matches
  field.scrollIntoView?.({ block: 'center', behavior: calm ? 'auto' : 'smooth' })
  field.focus({ preventScroll: true })
}

const gapWords = ({ kind, name, itemName, wrong }: FieldProblem): string => {
  if (kind === 'image') return `A photo for ${itemName}`
  return wrong ? `${name} on ${itemName}: ${wrong}` : `${name} on ${itemName}`
}

const titleOf = (gaps: readonly FieldProblem[]): string => {
  if (gaps.some((gap) => gap.wrong)) return gaps.length === 1 ? 'One thing needs you' : `${gaps.length} things need you`
  return gaps.length === 1 ? 'One thing is missing' : `${gaps.length} things are missing`
}

/** Missing and invalid fields, each with a link to it. */
export const MissingFields = ({ gaps }: { gaps: readonly FieldProblem[] }) => (
  <div id="gaps">
    {gaps.length > 0 && (
      <Notice tone="attention" title={titleOf(gaps)}>
        <ul className={styles.gaps}>
          {gaps.map((gap) => (
            <li key={gap.fieldId}>
              <button type="button" className={styles.gap} onClick={() => focusField(gap.fieldId)}>
                {gapWords(gap)}
              </button>
            </li>
          ))}
        </ul>
      </Notice>
    )}
  </div>
)
