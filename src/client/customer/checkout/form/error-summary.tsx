import type { MouseEvent } from 'react'
import { type FieldErrors, validationMessages } from '#domain/shared/validators.ts'
import styles from '../checkout.module.css'

const labels: Readonly<Record<string, string>> = {
  name: 'Full name',
  email: 'Email',
  phone: 'Phone',
  address1: 'Street address',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
  number: 'Card number',
  expiry: 'Expiration date',
  cvc: 'Security code',
}

/** Names a field's problem without its form around it: "Street address is missing". */
const problemOf = (path: string, messages: readonly string[]): string => {
  const [part, name = ''] = path.split('.')
  const label = `${labels[name]}${part === 'shippingAddress' ? ' for shipping' : ''}`
  return `${label} ${messages.includes(validationMessages.required) ? 'is missing' : 'isn’t valid'}`
}

// A hash in the URL would be one more step back in the browser's history.
const focusField = (event: MouseEvent<HTMLAnchorElement>): void => {
  event.preventDefault()
  document.getElementById(event.currentTarget.hash.slice(1))?.focus()
}

/**
 * The fields with errors, each linked to its field, whose id is its path. If there are several, the list gets the focus,
 * otherwise the field itself.
 */
export const ErrorSummary = ({ errors }: { errors: FieldErrors }) => {
  const fields = Object.entries(errors)
  return (
    <ul
      className={styles.problems}
      aria-label="Fields to fix"
      tabIndex={-1}
      data-first-focus={fields.length > 1 || undefined}
    >
      {fields.map(([path, messages]) => (
        <li key={path}>
          <a href={`#${path}`} onClick={focusField}>
            {problemOf(path, messages)}
          </a>
        </li>
      ))}
    </ul>
  )
}
