import { useWatch } from 'react-hook-form'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { formatHundredths, hundredthsInput, hundredthsOf } from '#client/staff/kit/form/hundredths.ts'
import { optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import { useResourceForm } from '#client/staff/kit/resource/use-resource-form.ts'
import {
  getPlatformOrderService,
  type PlatformOrderService,
  postPlatformOrderService,
  putPlatformOrderService,
} from '#contract/system/order-services.ts'
import {
  type OrderServiceDraft,
  type OrderServiceKind,
  orderServiceKinds,
  orderServiceRules,
  type RetouchLevel,
  retouchLevels,
} from '#domain/platform/order-service-draft.ts'
import { parsedRules } from '#domain/shared/derived-rules.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'

/** The price and the position are text until they are saved. */
type Model = {
  kind: OrderServiceKind
  name: string
  description: string
  level: RetouchLevel
  priceCents: string
  position: string
}

const modelOf = (service: PlatformOrderService | null): Model => ({
  kind: service?.kind ?? 'retouch',
  name: service?.name ?? '',
  description: service?.description ?? '',
  level: service?.level ?? 'basic',
  priceCents: formatHundredths(service?.priceCents ?? null, 2),
  position: String(service?.position ?? 0),
})

const toDraft = ({ level, priceCents, position, ...values }: Model): OrderServiceDraft => ({
  ...values,
  level: values.kind === 'retouch' ? level : null,
  priceCents: hundredthsOf(priceCents) ?? Number.NaN,
  position: parseNumber(position),
})

const rules = parsedRules(orderServiceRules, toDraft)
const calls = { get: getPlatformOrderService, post: postPlatformOrderService, put: putPlatformOrderService }

const labels = {
  kind: 'Kind',
  name: 'Name',
  description: 'Description',
  level: 'Level',
  priceCents: 'Usual price',
  position: 'Position',
} as const

const LevelField = () => {
  const kind = useWatch<Model, 'kind'>({ name: 'kind' })
  return kind === 'retouch' && <SelectField name="level" label={labels.level} options={optionsOf(retouchLevels)} />
}

type OrderServiceDialogProps = { service: PlatformOrderService | null; onClose: () => void }

/** Edits an order service, or creates one for null. */
export const OrderServiceDialog = ({ service, onClose }: OrderServiceDialogProps) => {
  const edit = useResourceForm<Model, PlatformOrderService>({
    ...{ noun: 'order service', record: service, modelOf, toDraft, rules, calls },
    onSaved: onClose,
  })
  return (
    <Dialog open onClose={onClose} title={service ? 'Edit order service' : 'New order service'} size="small">
      <EditForm edit={edit} labels={labels}>
        <SelectField name="kind" label={labels.kind} options={optionsOf(orderServiceKinds)} required />
        <TextField name="name" label={labels.name} maxLength={200} required />
        <TextField name="description" label={labels.description} hint="Parents read it" maxLength={500} optional />
        <LevelField />
        <TextField
          name="priceCents"
          label={labels.priceCents}
          hint="In dollars, until a job sets its own"
          {...hundredthsInput}
          required
        />
        <TextField name="position" label={labels.position} hint="The lowest comes first" inputMode="numeric" required />
      </EditForm>
    </Dialog>
  )
}
