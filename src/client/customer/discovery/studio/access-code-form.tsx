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

type CodeFormProps = { studioSlug: string; initialCode: string | undefined }

// The chunk that redeems the code did not load.
const notRedeemed = (): RedeemResult => ({ ok: false, message: failureMessage({ status: 'unreachable' }) ?? '' })

const wantedPlace = () => safeReturnPath(new URLSearchParams(window.location.search).get('ret'))

/** The job search: an access code opens its job, or its subject. A code in the URL is redeemed at once. */
export const AccessCodeForm = ({ studioSlug, initialCode }: CodeFormProps) => {
  const [code, setCode] = useState(initialCode ?? '')
  const [error, setError] = useState<string | null>(null)
  const [loading, setLoading] = useState(false)
  const [, navigate] = useLocation()
  const tried = useRef<string>(null)

  const open = useCallback(
    async (text: string, replace: boolean) => {
      const wanted = normaliseAccessCode(text)
      if (wanted === '') return setError(validationMessages.required)
      setError(null)
      setLoading(true)
      const redeeming = import('./redeem-access-code.ts').then(({ redeemAccessCode }) =>
        redeemAccessCode({ studioSlug, code: wanted, ret: wantedPlace() }),
      )
      const redeemed = await redeeming.catch(notRedeemed)
      setLoading(false)
      if (redeemed.ok) navigate(redeemed.address, { replace })
      else setError(redeemed.message)
    },
    [navigate, studioSlug],
  )

  useEffect(() => {
    if (!initialCode || tried.current === initialCode) return
    tried.current = initialCode
    // A prerendered page knows no query: it is applied after the first render.
    setCode(initialCode)
    void open(initialCode, true)
  }, [initialCode, open])

  return (
    <Form onSubmit={() => void open(code, false)} loading={loading}>
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
      <Button type="submit" size="lg" icon={ArrowRight} iconSide="right" loading={loading} wide>
        Open
      </Button>
    </Form>
  )
}
