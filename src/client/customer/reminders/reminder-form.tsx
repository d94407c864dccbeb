import { type ReactNode, useState } from 'react'
import { array, enums, is, nullable, string, type } from 'superstruct'
import { type CartReminder, putReminder } from '#contract/customer/reminder-calls.ts'
import { type ReminderKind, reminderKinds } from '#domain/reminders/reminder-kinds.ts'
import { email as emailRule, type FieldErrors, isValid, required, validate } from '#domain/shared/validators.ts'
import { callApi } from '#platform/api/api.ts'
import { useConnected } from '#platform/use-connected.ts'
import { Button } from '#ui/button/button.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { useDraft } from '../shared/drafts/use-draft.ts'
import { useJobContext } from '../shared/job/job-context.tsx'

/** `kinds` is null until the customer chooses: then the reminder is about the cart. */
const Draft = type({ email: string(), kinds: nullable(array(enums(reminderKinds))) })
const emptyDraft = { email: '', kinds: null }

type Choice = { email: string; kinds: readonly ReminderKind[] }

const rules = {
  email: [required<Choice>(), emailRule<Choice>()],
  kinds: (_: unknown, { kinds }: Choice) => (kinds.length === 0 ? 'Choose at least one' : null),
}

const offlineText = 'You’re offline: this needs a connection. What you typed is saved.'

type ReminderFormProps = {
  cartId: number
  draftKey: string
  draft: unknown
  offered: readonly ReminderKind[]
  labels: Readonly<Record<ReminderKind, ReactNode>>
  onChanged: (data: CartReminder) => void
}

/** What the customer typed, stored on this device at each change, and the request that opts in. */
const useReminderForm = ({ cartId, draftKey, draft, offered, onChanged }: Omit<ReminderFormProps, 'labels'>) => {
  const { jobId } = useJobContext()
  const online = useConnected()
  const writer = useDraft(draftKey)
  const [input, setInput] = useState(is(draft, Draft) ? draft : emptyDraft)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState<readonly string[]>([])
  const [isSending, setIsSending] = useState(false)
  const chosen = (input.kinds ?? ['cart']).filter((kind) => offered.includes(kind))
  const change = (values: Partial<typeof input>) => {
    const next = { ...input, ...values }
    setInput(next)
    writer.save(next)
  }
  const setKind = (kind: ReminderKind, isChosen: boolean) =>
    change({ kinds: offered.filter((other) => (other === kind ? isChosen : chosen.includes(other))) })
  const submit = async () => {
    const body = { cartId, email: input.email.trim(), kinds: offered.length === 1 ? [...offered] : chosen }
    const found = validate<Choice>(body, rules)
    setErrors(found)
    setFailure(online ? [] : [offlineText])
    if (!online || !isValid(found)) return
    setIsSending(true)
    const response = await callApi(putReminder, { params: { jobId }, body })
    setIsSending(false)
    if (!response.ok) return setFailure(response.errors)
    await writer.drop()
    onChanged(response.data)
  }
  return { input, chosen, change, setKind, submit, errors, failure, isSending, online }
}

/** Asks for an address and what to remind of. Offline, everything that was typed stays until there is a connection. */
export const ReminderForm = ({ labels, ...props }: ReminderFormProps) => {
  const { studio } = useJobContext()
  const { input, chosen, change, setKind, submit, errors, failure, isSending, online } = useReminderForm(props)
  const { offered } = props
  return (
    <Form onSubmit={() => void submit()} loading={isSending} error={failure}>
      {offered.length === 1 ? (
        <p>{offered.map((kind) => labels[kind])}</p>
      ) : (
        <fieldset>
          <legend>Remind me</legend>
          {offered.map((kind, index) => (
            <Checkbox
              key={kind}
              label={labels[kind]}
              checked={chosen.includes(kind)}
              onValue={(isChosen) => setKind(kind, isChosen)}
              // The message is about the whole group, so it follows the last choice.
              errors={index === offered.length - 1 ? errors.kinds : undefined}
            />
          ))}
        </fieldset>
      )}
      <Field
        label="Email"
        hint={`I agree that ${studio.name} sends these reminders to this address; a link in each email stops them.`}
        errors={errors.email}
      >
        <TextInput
          name="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          value={input.email}
          onValue={(email) => change({ email })}
        />
      </Field>
      {!online && failure.length === 0 && <p role="status">{offlineText}</p>}
      <Button type="submit" loading={isSending}>
        Remind me
      </Button>
    </Form>
  )
}
