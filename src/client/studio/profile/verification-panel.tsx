import BadgeCheck from 'lucide-react/icons/badge-check'
import { useState } from 'react'
import { requestVerification, type Studio, type VerificationRequest } from '../../../contract/studio/studio.ts'
import { fixFieldsMessage, validationMessages } from '../../../domain/validators.ts'
import { Panel } from '../../staff/panel.tsx'
import { useStudio } from '../../staff/staff-context.ts'
import { useChange } from '../../staff/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './verification-panel.module.css'

const dayOf = (instant: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date(instant))

const Asked = ({ request }: { request: VerificationRequest }) => {
  const { state, accountNumber, reason, at } = request
  if (state === 'waiting') {
    return (
      <Notice title="The partner is looking at it">
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

type Typed = { accountNumber: string; password: string }
const nothing: Typed = { accountNumber: '', password: '' }

// The partner's password is in no draft: it is typed, sent once and forgotten.
const RequestForm = ({ studioId }: { studioId: number }) => {
  const { make, busy } = useChange(requestVerification)
  const [typed, setTyped] = useState(nothing)
  const [errors, setErrors] = useState<readonly string[]>([])
  const [isTried, setTried] = useState(false)
  const messageOf = (text: string) => (isTried && text.trim() === '' ? [validationMessages.required] : [])
  const send = async () => {
    setTried(true)
    if (typed.accountNumber.trim() === '' || typed.password === '') return setErrors([fixFieldsMessage])
    setErrors([])
    const answer = await make({ params: { studioId }, body: typed }, 'nobody')
    if (!answer.ok) return setErrors(answer.errors)
    setTried(false)
    setTyped(nothing)
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
      <div>
        <Button type="submit" loading={busy}>
          Request verification
        </Button>
      </div>
    </Form>
  )
}

/** Whether the partner knows the studio, and how it is asked. */
export const VerificationPanel = ({ studio }: { studio: Studio }) => {
  const { features } = useStudio()
  const { verification } = studio
  if (studio.isMillersVerified) {
    return (
      <Panel title="Verification">
        <p className={styles.verified}>
          <Icon of={BadgeCheck} />
          <span>Verified by the partner{verification && `, account ${verification.accountNumber}`}</span>
        </p>
      </Panel>
    )
  }
  // Where verification is a feature, nothing but the profile is open before (section 2, guards).
  const what = features.has('studioVerification')
    ? 'Everything beside this profile opens once the partner has verified your studio.'
    : 'Galleries and green screens are for studios that are customers of our partner.'
  return (
    <Panel title="Verification" lead={`${what} With your account there, this takes a moment.`}>
      {verification && <Asked request={verification} />}
      <RequestForm studioId={studio.id} />
    </Panel>
  )
}
