import ArrowRight from 'lucide-react/icons/arrow-right'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { validationMessages } from '#domain/shared/validators.ts'
import { failureMessage } from '#local/transport/failure-cause.ts'
import { safeReturnPath } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { normaliseAccessCode } from './access-code-entry.ts'
import type { RedeemResult } from './redeem-access-code.ts'
import styles from './studio-screen.module.css'

type AccessCodeFormProps = { studioSlug: string; initialCode: string | undefined }

// The chunk that redeems the code did not load.
const chunkLoadFailure = (): RedeemResult => ({ ok: false, message: failureMessage({ status: 'unreachable' }) ?? '' })

const readReturnPath = () => safeReturnPath(new URLSearchParams(window.location.search).get('ret'))

/** The job search: an access code opens its job, or its subject. A code in the URL is redeemed at once. */
export const AccessCodeForm = ({ studioSlug, initialCode }: AccessCodeFormProps) => {
  const [code, setCode] = useState(initialCode ?? '')
  const [error, setError] = useState<string | null>(null)
  const [isLoading, setIsLoading] = useState(false)
  const [, navigate] = useLocation()
  const redeemedInitialCode = useRef<string>(null)

  const redeem = useCallback(
    async (text: string, replace: boolean) => {
      const normalisedCode = normaliseAccessCode(text)
      if (normalisedCode === '') return setError(validationMessages.required)
      setError(null)
      setIsLoading(true)
      const redemption = import('./redeem-access-code.ts').then(({ redeemAccessCode }) =>
        redeemAccessCode({ studioSlug, code: normalisedCode, ret: readReturnPath() }),
      )
      const result = await redemption.catch(chunkLoadFailure)
      setIsLoading(false)
      if (result.ok) navigate(result.url, { replace })
      else setError(result.message)
    },
    [navigate, studioSlug],
  )

  useEffect(() => {
    if (!initialCode || redeemedInitialCode.current === initialCode) return
    redeemedInitialCode.current = initialCode
    // The prerendered page does not contain the code of the URL: it is set after the first render.
    setCode(initialCode)
    void redeem(initialCode, true)
  }, [initialCode, redeem])

  return (
    <Form onSubmit={() => void redeem(code, false)} loading={isLoading}>
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
