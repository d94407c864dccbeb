import { useFormContext } from 'react-hook-form'
import { CheckField, FieldPair, SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { hundredthsInput } from '#client/staff/kit/form/hundredths.ts'
import { maxPromotionCodeLength, maxPromotionNameLength } from '#domain/pricing/promotion-draft.ts'
import { promotionLabels as labels, type PromotionForm } from './promotion-form.ts'
import { PromotionPackages } from './promotion-packages.tsx'
import { PromotionTypeChoice } from './promotion-type-choice.tsx'
import type { PromotionsParams } from './promotion-urls.ts'

const kindOptions = [
  { value: 'percent', label: 'A percentage' },
  { value: 'amount', label: 'An amount in dollars' },
]

const appliesToOptions = [
  { value: 'order', label: 'The whole order' },
  { value: 'packages', label: 'Chosen packages only' },
]

const countInput = { type: 'number', inputMode: 'numeric', step: 1 } as const

const codeHint = 'Letters, digits and hyphens'
const automaticCodeHint = 'Customers see it next to the discount'

type PromotionFieldsProps = { params: PromotionsParams; isNew: boolean; timeZone: string }

/** The fields of a promotion: code, discount, days and limits. */
export const PromotionFields = ({ params, isNew, timeZone }: PromotionFieldsProps) => {
  const { watch } = useFormContext<PromotionForm>()
  const isPercent = watch('kind') === 'percent'
  const isAutomatic = watch('isAutomatic')
  return (
    <>
      {isNew && <PromotionTypeChoice />}
      <FieldPair>
        <TextField
          name="code"
          label={labels.code}
          hint={isAutomatic ? automaticCodeHint : codeHint}
          required
          maxLength={maxPromotionCodeLength}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          name="name"
          label={labels.name}
          hint="For you only, such as “Early birds”"
          optional
          maxLength={maxPromotionNameLength}
        />
      </FieldPair>
      <FieldPair>
        <SelectField name="kind" label={labels.kind} options={kindOptions} />
        {isPercent ? (
          <TextField key="percent" name="basisPoints" label={labels.basisPoints} required {...hundredthsInput} />
        ) : (
          <TextField key="amount" name="amountCents" label={labels.amountCents} required {...hundredthsInput} />
        )}
      </FieldPair>
      <SelectField name="appliesTo" label={labels.appliesTo} options={appliesToOptions} />
      {watch('appliesTo') === 'packages' && <PromotionPackages params={params} />}
      <TextField
        name="minimumCents"
        label={labels.minimumCents}
        hint="Packages and services before the discount, without shipping and tax"
        optional
        {...hundredthsInput}
      />
      <LimitFields timeZone={timeZone} />
      <CheckField
        name="isStackable"
        label={labels.isStackable}
        hint="Percentages come off first, then amounts. Otherwise customers get the best of their promotions alone"
      />
      <CheckField
        name="isEnabled"
        label={labels.isEnabled}
        hint={isAutomatic ? 'When off, no cart gets it' : 'When off, customers see that we don’t know the code'}
      />
    </>
  )
}

const LimitFields = ({ timeZone }: { timeZone: string }) => (
  <>
    <FieldPair>
      <TextField name="startsOn" label={labels.startsOn} type="date" optional hint="Leave empty to begin at once" />
      <TextField
        name="endsOn"
        label={labels.endsOn}
        type="date"
        optional
        hint={`Until midnight in ${timeZone.replaceAll('_', ' ')}`}
      />
    </FieldPair>
    <FieldPair>
      <TextField
        name="maximumUses"
        label={labels.maximumUses}
        hint="It ends after this many uses"
        optional
        {...countInput}
      />
      <TextField
        name="maximumUsesPerCustomer"
        label={labels.maximumUsesPerCustomer}
        hint="By email address"
        optional
        {...countInput}
      />
    </FieldPair>
  </>
)
