import CircleAlert from 'lucide-react/icons/circle-alert'
import { type ComponentProps, type FormEvent, useEffect, useState } from 'react'
import { classNames } from '../class-names.ts'
import { Icon } from '../icon.tsx'
import { VisuallyHidden } from '../visually-hidden.tsx'
import styles from './form.module.css'
import { asMessages, MessageList, type Messages } from './message-list.tsx'

export type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  /** Called with the browser's own submission already stopped, and not at all while `loading`. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
  loading?: boolean
  /** What is wrong with the form as a whole; several are shown one per line. */
  error?: Messages
}

/**
 * A form. Shows an indicator while `loading`; its error alert appears when there is an error *and* the form was submitted
 * (section 4), and leaves when the error does. The fields' own checks are ours, so the browser's bubbles stay away; the first field
 * that a submission marks takes the focus, as theirs would.
 */
export const Form = ({ onSubmit, onReset, loading = false, error, children, className, ...rest }: FormProps) => {
  const [submission, setSubmission] = useState<{ form: HTMLFormElement } | null>(null)
  // After the messages are on the screen, so that the first is read out with its field.
  useEffect(() => submission?.form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [submission])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (loading) return
    setSubmission({ form: event.currentTarget })
    onSubmit?.(event)
  }
  const reset = (event: FormEvent<HTMLFormElement>) => {
    setSubmission(null)
    onReset?.(event)
  }
  return (
    <form
      {...rest}
      noValidate
      // Outside a dialog this method goes nowhere: a tap before the page's script is there must not put what was typed into an address.
      method="dialog"
      className={classNames(styles.form, className)}
      aria-busy={loading || undefined}
      onSubmit={submit}
      onReset={reset}
    >
      <div role="alert">{submission && <FormAlert error={error} />}</div>
      {children}
      {loading && (
        <div className={styles.loading} role="status">
          <VisuallyHidden>Loading</VisuallyHidden>
        </div>
      )}
    </form>
  )
}

const FormAlert = ({ error }: { error: Messages }) => {
  if (asMessages(error).length === 0) return null
  return (
    <div className={styles.alert}>
      <Icon of={CircleAlert} />
      <div>
        <MessageList messages={error} />
      </div>
    </div>
  )
}
