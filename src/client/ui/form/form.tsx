import CircleAlert from 'lucide-react/icons/circle-alert'
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { classNames } from '../class-names.ts'
import { Icon } from '../icon.tsx'
import { VisuallyHidden } from '../visually-hidden.tsx'
import styles from './form.module.css'
import { asMessages, MessageList, type Messages } from './message-list.tsx'

export type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  /** Called with the browser's submission prevented, and not at all while `loading`. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
  loading?: boolean
  /** Errors of the whole form; several are shown one per line. */
  error?: Messages
  /** More about the error, below it. */
  details?: ReactNode
}

/**
 * A form. Shows an indicator while `loading`. Its error alert appears when there is an error *and* the form was
 * submitted (section 4), and disappears with the error. Validation is ours, so the browser's bubbles are disabled;
 * after a submission the first invalid field gets the focus, as in the browser, or what is marked with `data-first-focus`.
 */
export const Form = (props: FormProps) => {
  const { onSubmit, onReset, loading = false, error, details, children, className, ...formProps } = props
  const [submission, setSubmission] = useState<{ form: HTMLFormElement } | null>(null)
  // Runs after the messages are rendered, so that the first one is announced with its field.
  useEffect(
    () => submission?.form.querySelector<HTMLElement>('[data-first-focus], [aria-invalid="true"]')?.focus(),
    [submission],
  )
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
      {...formProps}
      noValidate
      // Outside a dialog this method does nothing: a submission before the script has loaded must not put the input
      // into the URL.
      method="dialog"
      className={classNames(styles.form, className)}
      aria-busy={loading || undefined}
      onSubmit={submit}
      onReset={reset}
    >
      <div role="alert">{submission && <FormAlert error={error} details={details} />}</div>
      {children}
      {loading && (
        <div className={styles.loading} role="status">
          <VisuallyHidden>Loading</VisuallyHidden>
        </div>
      )}
    </form>
  )
}

const FormAlert = ({ error, details }: Pick<FormProps, 'error' | 'details'>) => {
  if (asMessages(error).length === 0) return null
  return (
    <div className={styles.alert}>
      <Icon of={CircleAlert} />
      <div>
        <MessageList messages={error} />
        {details}
      </div>
    </div>
  )
}
