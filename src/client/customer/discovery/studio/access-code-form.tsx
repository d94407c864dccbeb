import ArrowRight from 'lucide-react/icons/arrow-right'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { validationMessages } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { type CodeFailure, loadAndRedeem, normaliseAccessCode } from './access-code-entry.ts'
import styles from './studio-screen.module.css'

type AccessCodeFormProps = {
  studioSlug: string
  /** The code in the URL that could not be opened. */
  failure: CodeFailure | null
}

/** The job search: an access code opens its job, or its subject. */
export const AccessCodeForm = ({ studioSlug, failure }: AccessCodeFormProps) => {
  const [code, setCode] = useState(failure?.code ?? '')
  const [error, setError] = useState(failure?.message ?? null)
  const [isLoading, setIsLoading] = useState(false)
  const [, navigate] = useLocation()

  const redeem = async () => {
    if (normaliseAccessCode(code) === '') return setError(validationMessages.required)
    setError(null)
    setIsLoading(true)
    const result = await loadAndRedeem(studioSlug, code)
    setIsLoading(false)
    if (result.ok) navigate(result.url)
    else setError(result.message)
  }

  return (
    <Form onSubmit={() => void redeem()} loading={isLoading}>
      <Field label="Access code" errors={error}>
        <TextInput
          type="alphanumeric"
          size="lg"
          name="code"
          className={styles.code}
          autoCapitalize="characters"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={40}
          // The failure is announced with its field.
          autoFocus={failure !== null}
          value={code}
          onValue={(value) => setCode(value.toUpperCase())}
        />
      </Field>
      <Button type="submit" size="lg" icon={ArrowRight} iconSide="right" loading={isLoading} wide>
        Open
      </Button>
    </Form>
  )
}
