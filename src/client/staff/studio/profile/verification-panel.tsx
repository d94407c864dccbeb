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

const dayOf = (instant: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date(instant))

type Decider = NonNullable<Studio['verifiedBy']>

const waitingTitle: Readonly<Record<Decider, string>> = {
  partner: 'The partner is looking at it',
  administrator: 'An administrator is looking at it',
}

const RequestStatus = ({ request, decider }: { request: VerificationRequest; decider: Decider }) => {
  const { state, accountNumber, reason, at } = request
  if (state === 'waiting') {
    return (
      <Notice title={waitingTitle[decider]}>
        Account {accountNumber}, asked on {dayOf(at)}. You need do nothing; this page says so once it is decided.
      </Notice>
    )
  }
  return state === 'refused' ? (
    <Notice tone="attention" title={`Not verified on ${dayOf(at)}`}>
      Account {accountNumber}: {reason}.
    </Notice>
  ) : null
}

type RequestValues = { accountNumber: string; password: string }
const emptyRequest: RequestValues = { accountNumber: '', password: '' }

// The partner's password is never stored in a draft: it is sent once and discarded.
const RequestForm = ({ studioId, decider }: { studioId: number; decider: Decider }) => {
  const needsPassword = decider === 'partner'
  const { mutate, busy } = useStaffMutation(requestVerification)
  const [typed, setTyped] = useState(emptyRequest)
  const [errors, setErrors] = useState<readonly string[]>([])
  const [isTried, setTried] = useState(false)
  const messageOf = (text: string) => (isTried && text.trim() === '' ? [validationMessages.required] : [])
  const send = async () => {
    setTried(true)
    const { accountNumber, password } = typed
    if (accountNumber.trim() === '' || (needsPassword && password === '')) return setErrors([fixFieldsMessage])
    setErrors([])
    const answer = await mutate(
      { params: { studioId }, body: needsPassword ? typed : { accountNumber } },
      { onError: 'silent' },
    )
    if (!answer.ok) return setErrors(answer.errors)
    setTried(false)
    setTyped(emptyRequest)
    if (answer.data.isMillersVerified) toast('The studio is verified', 'success')
  }
  return (
    <Form onSubmit={() => void send()} loading={busy} error={errors} aria-label="Request verification">
      <Field label="Account number" hint="Yours with the partner" required errors={messageOf(typed.accountNumber)}>
        <TextInput
          value={typed.accountNumber}
          onValue={(accountNumber) => setTyped({ ...typed, accountNumber })}
          autoComplete="off"
          maxLength={40}
        />
      </Field>
      {needsPassword && (
        <Field
          label="Password"
          hint="Yours with the partner: it is sent to them once and kept nowhere"
          required
          errors={messageOf(typed.password)}
        >
          <TextInput
            type="password"
            value={typed.password}
            onValue={(password) => setTyped({ ...typed, password })}
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

/** State of the verification by the partner, and its request. */
export const VerificationPanel = ({ studio }: { studio: Studio }) => {
  const { features } = useStudio()
  const { verification, verifiedBy: decider = 'partner' } = studio
  if (studio.isMillersVerified) {
    return (
      <Panel title="Verification">
        <p className={styles.verified}>
          <Icon of={BadgeCheck} />
          <span>
            Verified by {decider === 'partner' ? 'the partner' : 'an administrator'}
            {verification && `, account ${verification.accountNumber}`}
          </span>
        </p>
      </Panel>
    )
  }
  // With the verification feature, an unverified studio may open only its profile (section 2, guards).
  const scopeMessage = features.has('studioVerification')
    ? 'Everything except this profile opens once your studio is verified.'
    : 'Galleries and green screens are for studios that are customers of our partner.'
  const instructions =
    decider === 'partner'
      ? 'With your account there, this takes a moment.'
      : 'An administrator of this platform looks at each request. Only your account number with the partner is needed.'
  return (
    <Panel title="Verification" lead={`${scopeMessage} ${instructions}`}>
      {verification && <RequestStatus request={verification} decider={decider} />}
      <RequestForm studioId={studio.id} decider={decider} />
    </Panel>
  )
}
