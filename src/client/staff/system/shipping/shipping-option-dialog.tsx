import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { FieldPair, SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { formatHundredths, hundredthsInput, hundredthsOf } from '#client/staff/kit/form/hundredths.ts'
import { optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import { useResourceForm } from '#client/staff/kit/resource/use-resource-form.ts'
import {
  getShippingOption,
  type PlatformShippingOption,
  postShippingOption,
  putShippingOption,
} from '#contract/system/shipping-options.ts'
import {
  type ShippingDestination,
  type ShippingOptionDraft,
  shippingDestinations,
  shippingOptionRules,
} from '#domain/platform/shipping-option.ts'
import { parsedRules } from '#domain/shared/derived-rules.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'

/** Amounts and the position are text until they are saved. */
type Model = {
  code: string
  label: string
  description: string
  shipsTo: ShippingDestination
  priceCents: string
  eachMoreCents: string
  position: string
}

const modelOf = (option: PlatformShippingOption | null): Model => ({
  code: option?.code ?? '',
  label: option?.label ?? '',
  description: option?.description ?? '',
  shipsTo: option?.shipsTo ?? 'home',
  priceCents: formatHundredths(option?.priceCents ?? null, 2),
  eachMoreCents: formatHundredths(option?.eachMoreCents ?? 0, 2),
  position: String(option?.position ?? 0),
})

const toDraft = ({ priceCents, eachMoreCents, position, ...texts }: Model): ShippingOptionDraft => ({
  ...texts,
  priceCents: hundredthsOf(priceCents) ?? Number.NaN,
  eachMoreCents: hundredthsOf(eachMoreCents) ?? Number.NaN,
  position: parseNumber(position),
})

const rules = parsedRules(shippingOptionRules, toDraft)
const calls = { get: getShippingOption, post: postShippingOption, put: putShippingOption }

const labels = {
  label: 'Name',
  code: 'Code',
  description: 'Description',
  shipsTo: 'Ships to',
  priceCents: 'Price',
  eachMoreCents: 'Price of each further package',
  position: 'Position',
} as const

type ShippingOptionDialogProps = { option: PlatformShippingOption | null; onClose: () => void }

/** Edits a shipping option, or creates one for null. */
export const ShippingOptionDialog = ({ option, onClose }: ShippingOptionDialogProps) => {
  const edit = useResourceForm<Model, PlatformShippingOption>({
    ...{ noun: 'shipping option', record: option, modelOf, toDraft, rules, calls },
    onSaved: onClose,
  })
  return (
    <Dialog open onClose={onClose} title={option ? 'Edit shipping option' : 'New shipping option'}>
      <EditForm edit={edit} labels={labels}>
        <TextField name="label" label={labels.label} maxLength={200} required />
        <TextField
          name="code"
          label={labels.code}
          hint="“priority” is the only one offered to military addresses"
          maxLength={40}
          required
        />
        <TextField name="description" label={labels.description} maxLength={500} optional />
        <SelectField name="shipsTo" label={labels.shipsTo} options={optionsOf(shippingDestinations)} required />
        <FieldPair>
          <TextField name="priceCents" label={labels.priceCents} hint="In dollars" {...hundredthsInput} required />
          <TextField
            name="eachMoreCents"
            label={labels.eachMoreCents}
            hint="In dollars"
            {...hundredthsInput}
            required
          />
        </FieldPair>
        <TextField
          name="position"
          label={labels.position}
          hint="Checkouts show the lowest first"
          inputMode="numeric"
          required
        />
      </EditForm>
    </Dialog>
  )
}
