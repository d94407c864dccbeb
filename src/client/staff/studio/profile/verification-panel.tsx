import BadgeCheck from 'lucide-react/icons/badge-check'
import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { requestVerification, type Studio, type VerificationRequest } from '#contract/studio/studio.ts'
import { fixFieldsMessage, validationMessages } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { Icon } from '#ui/icon.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './verification-panel.module.css'

const formatDay = (instant: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date(instant))

type Verifier = NonNullable<Studio['verifiedBy']>

const pendingTitles: Readonly<Record<Verifier, string>> = {
  partner: 'The partner is looking at it',
  administrator: 'An administrator is looking at it',
}

const RequestStatus = ({ request, verifier }: { request: VerificationRequest; verifier: Verifier }) => {
  const { state, accountNumber, reason, at } = request
  if (state === 'waiting') {
    return (
      <Notice title={pendingTitles[verifier]}>
        Account {accountNumber}, asked on {formatDay(at)}. You need do nothing; this page says so once it is decided.
      </Notice>
    )
  }
  return state === 'refused' ? (
    <Notice tone="attention" title={`Not verified on ${formatDay(at)}`}>
      Account {accountNumber}: {reason}.
    </Notice>
  ) : null
}

type RequestValues = { accountNumber: string; password: string }
const emptyValues: RequestValues = { accountNumber: '', password: '' }

// The partner password is never stored in a draft: it is sent once and discarded.
const RequestForm = ({ studioId, verifier }: { studioId: number; verifier: Verifier }) => {
  const needsPassword = verifier === 'partner'
  const { mutate, busy } = useStaffMutation(requestVerification)
  const [values, setValues] = useState(emptyValues)
  const [errors, setErrors] = useState<readonly string[]>([])
  const [isSubmitted, setSubmitted] = useState(false)
  const requiredErrors = (text: string) => (isSubmitted && text.trim() === '' ? [validationMessages.required] : [])
  const submit = async () => {
    setSubmitted(true)
    const { accountNumber, password } = values
    if (accountNumber.trim() === '' || (needsPassword && password === '')) return setErrors([fixFieldsMessage])
    setErrors([])
    const answer = await mutate(
      { params: { studioId }, body: needsPassword ? values : { accountNumber } },
      { onError: 'silent' },
    )
    if (!answer.ok) return setErrors(answer.errors)
    setSubmitted(false)
    setValues(emptyValues)
    if (answer.data.isMillersVerified) toast('The studio is verified', 'success')
  }
  return (
    <Form onSubmit={() => void submit()} loading={busy} error={errors} aria-label="Request verification">
      <Field
        label="Account number"
        hint="Your account with the partner"
        required
        errors={requiredErrors(values.accountNumber)}
      >
        <TextInput
          value={values.accountNumber}
          onValue={(accountNumber) => setValues({ ...values, accountNumber })}
          autoComplete="off"
          maxLength={40}
        />
      </Field>
      {needsPassword && (
        <Field
          label="Password"
          hint="Your partner password: sent to them once, never stored"
          required
          errors={requiredErrors(values.password)}
        >
          <TextInput
            type="password"
            value={values.password}
            onValue={(password) => setValues({ ...values, password })}
            autoComplete="off"
          />
        </Field>
      )}
      <div>
        <Button type="submit" loading={busy}>
          Request verification
        </Button>
      </div>
    </Form>
  )
}

/** Shows whether a studio is verified, and the form that requests the verification. */
export const VerificationPanel = ({ studio }: { studio: Studio }) => {
  const { features } = useStudio()
  const { verification, verifiedBy: verifier = 'partner' } = studio
  if (studio.isMillersVerified) {
    return (
      <Panel title="Verification">
        <p className={styles.verified}>
          <Icon of={BadgeCheck} />
          <span>
            Verified by {verifier === 'partner' ? 'the partner' : 'an administrator'}
            {verification && `, account ${verification.accountNumber}`}
          </span>
        </p>
      </Panel>
    )
  }
  // If the verification feature is on, an unverified studio has access only to its profile (section 2, guards).
  const scopeMessage = features.has('studioVerification')
    ? 'Everything except this profile opens once your studio is verified.'
    : 'Galleries and green screens are for studios that are customers of our partner.'
  const instructions =
    verifier === 'partner'
      ? 'With your account there, this takes a moment.'
      : 'An administrator of this platform looks at each request. Only your account number with the partner is needed.'
  return (
    <Panel title="Verification" lead={`${scopeMessage} ${instructions}`}>
      {verification && <RequestStatus request={verification} verifier={verifier} />}
      <RequestForm studioId={studio.id} verifier={verifier} />
    </Panel>
  )
}
