import { Notice } from '#ui/feedback/notice.tsx'
import type { FieldProblem } from './customise-steps.ts'
import styles from './customiser.module.css'

/** Scrolls a field into view and focuses it. */
export const focusField = (fieldId: string): void => {
  const field = document.getElementById(fieldId)
  if (!field) return
  const prefersReducedMotion = window.matchMedia?.('(prefers-reduced-motion: reduce)').matches
  field.scrollIntoView?.({ block: 'center', behavior: prefersReducedMotion ? 'auto' : 'smooth' })
  field.focus({ preventScroll: true })
}

const problemLabel = ({ kind, name, itemName, invalidMessage }: FieldProblem): string => {
  if (kind === 'image') return `A photo for ${itemName}`
  return invalidMessage ? `${name} on ${itemName}: ${invalidMessage}` : `${name} on ${itemName}`
}

const titleOf = (problems: readonly FieldProblem[]): string => {
  if (problems.some((problem) => problem.invalidMessage))
    return problems.length === 1 ? 'One thing to do' : `${problems.length} things to do`
  return problems.length === 1 ? 'One thing is missing' : `${problems.length} things are missing`
}

/** Missing and invalid fields, each with a link to it. */
export const MissingFields = ({ problems }: { problems: readonly FieldProblem[] }) => (
  <div id="gaps">
    {problems.length > 0 && (
      <Notice tone="attention" title={titleOf(problems)}>
        <ul className={styles.problems}>
          {problems.map((problem) => (
            <li key={problem.fieldId}>
              <button type="button" className={styles.problem} onClick={() => focusField(problem.fieldId)}>
                {problemLabel(problem)}
              </button>
            </li>
          ))}
        </ul>
      </Notice>
    )}
  </div>
)
