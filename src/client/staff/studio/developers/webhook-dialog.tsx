import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useRecordForm } from '#client/staff/kit/form/use-record-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { getWebhook, postWebhook, putWebhook, type Webhook } from '#contract/studio/developers/webhooks.ts'
import { type WebhookEvent, webhookEventLabels, webhookEvents } from '#domain/developers/webhooks.ts'
import { type Rules, required } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'

/** The field of each event. A dot in a name would lead to a nested field. */
const fieldOf = (event: WebhookEvent) => event.replace('.', ' ')

type Model = Record<string, boolean | string>

const modelOf = (webhook: Webhook | null): Model => ({
  url: webhook?.url ?? '',
  isEnabled: webhook?.isEnabled ?? true,
  ...Object.fromEntries(webhookEvents.map((event) => [fieldOf(event), webhook?.events.includes(event) ?? false])),
})

const eventsOf = (model: Model): WebhookEvent[] => webhookEvents.filter((event) => model[fieldOf(event)] === true)

const rules: Rules<Model> = {
  url: required(),
  [fieldOf(webhookEvents[0])]: (_value, model) => (eventsOf(model).length > 0 ? null : 'Choose at least one event'),
}

const labels = {
  url: 'Address',
  isEnabled: 'Enabled',
  ...Object.fromEntries(webhookEvents.map((event) => [fieldOf(event), webhookEventLabels[event].name])),
}

type WebhookDialogProps = {
  studioId: number
  /** Null creates a webhook. */
  webhook: Webhook | null
  onSaved: (webhook: Webhook) => void
  onClose: () => void
}

const useWebhookForm = ({ studioId, webhook, onSaved }: WebhookDialogProps) => {
  const creation = useStaffMutation(postWebhook)
  const replacement = useStaffMutation(putWebhook)
  return useRecordForm<Model, Webhook | null>({
    name: `studio ${studioId} webhook ${webhook?.id ?? 'new'}`,
    record: webhook,
    toVersionedValues: (saved) => ({ values: modelOf(saved), version: saved?.version ?? 0 }),
    rules,
    save: async ({ values, version }) => {
      const draft = { url: String(values.url), events: eventsOf(values) }
      const answer = webhook
        ? await replacement.mutate(
            { params: { studioId, id: webhook.id }, body: { ...draft, isEnabled: values.isEnabled === true, version } },
            { onError: 'silent' },
          )
        : await creation.mutate({ params: { studioId }, body: draft }, { onError: 'silent' })
      if (answer.ok) onSaved(answer.data)
      return answer
    },
    ...(webhook && { read: () => authorizedRequest(getWebhook, { params: { studioId, id: webhook.id } }) }),
  })
}

/** Creates a webhook, or edits one. */
export const WebhookDialog = (props: WebhookDialogProps) => {
  const { webhook, onClose } = props
  const edit = useWebhookForm(props)
  return (
    <Dialog open onClose={onClose} title={webhook ? 'Edit webhook' : 'New webhook'}>
      <EditForm edit={edit} labels={labels}>
        <TextField
          name="url"
          label="Address"
          hint="A page of your own server that begins with https://"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2000}
        />
        {webhookEvents.map((event) => (
          <CheckField
            key={event}
            name={fieldOf(event)}
            label={webhookEventLabels[event].name}
            hint={webhookEventLabels[event].about}
          />
        ))}
        {webhook && <CheckField name="isEnabled" label="Enabled" hint="A disabled webhook gets no events" />}
      </EditForm>
    </Dialog>
  )
}
