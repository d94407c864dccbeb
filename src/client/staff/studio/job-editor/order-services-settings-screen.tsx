import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { type JobSettings, type OfferedService, patchStandard } from '#contract/studio/job-settings.ts'
import { formatMoney, toCents } from '#domain/pricing/money.ts'
import type { Rules } from '#domain/shared/validators.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { FormSection } from './form-section.tsx'
import styles from './job-settings.module.css'
import { JobSettingsLayout } from './job-settings-layout.tsx'
import { useJobSettingsForm } from './use-job-settings-form.ts'

type ServiceOffer = { orderServiceId: number; price: string; enabled: boolean }

type OrderServicesValues = {
  allowRetouch: boolean
  allowNameOnAllPrints: boolean
  allowNameOnWallets: boolean
  imageLevelService: boolean
  services: ServiceOffer[]
}

const valuesOf = ({ standard: { services, ...flags } }: JobSettings): OrderServicesValues => ({
  ...flags,
  services: services.map(({ orderServiceId, price, enabled }) => ({
    orderServiceId,
    price: price.toFixed(2),
    enabled,
  })),
})

const bodyOf = ({ services, ...flags }: OrderServicesValues) => ({
  ...flags,
  services: services.map(({ orderServiceId, price, enabled }) => ({ orderServiceId, price: Number(price), enabled })),
})

const isPrice = (typed: unknown): boolean => /^\d{1,6}(\.\d{1,2})?$/.test(String(typed).trim())

const rulesFor = (services: readonly OfferedService[]): Rules<OrderServicesValues> =>
  Object.fromEntries(
    services.map((_, index) => [
      `services.${index}.price`,
      (value: unknown) => (isPrice(value) ? null : 'A price is dollars and cents: 9.50'),
    ]),
  )

const labels = {
  allowRetouch: 'Retouching',
  allowNameOnAllPrints: 'Name on all prints',
  allowNameOnWallets: 'Name on wallets',
  imageLevelService: 'Retouching by the picture',
  services: 'Services',
}

const Service = ({ service, index }: { service: OfferedService; index: number }) => (
  <li className={styles.service}>
    <CheckField
      name={`services.${index}.enabled`}
      label={service.name}
      hint={[service.description, `usually ${formatMoney(toCents(service.usualPrice))}`]
        .filter((part) => part)
        .join(', ')}
    />
    <TextField name={`services.${index}.price`} label={`Price of ${service.name}`} hideLabel inputMode="decimal" />
  </li>
)

const OrderServicesForm = ({ params, settings }: { params: JobParams; settings: JobSettings }) => {
  const { services } = settings.standard
  const rules = rulesFor(services)
  const edit = useJobSettingsForm<OrderServicesValues>({
    params,
    settings,
    tab: 'standard',
    call: patchStandard,
    valuesOf,
    bodyOf,
    rules,
  })
  return (
    <EditForm edit={edit} labels={labels}>
      <FormSection title="What may be ordered with prints">
        <CheckField name="allowRetouch" label="Retouching" hint="The services of that kind below are on offer" />
        <CheckField
          name="imageLevelService"
          label="Retouching by the picture"
          hint="Otherwise it is ordered once for a person, for all of their pictures"
        />
        <CheckField name="allowNameOnAllPrints" label="Name and year on all prints" />
        <CheckField name="allowNameOnWallets" label="Name and year on wallets" />
      </FormSection>
      <FormSection title="Services" lead="Each at this event’s own price, in dollars.">
        {services.length === 0 ? (
          <p>The platform offers no services at the moment.</p>
        ) : (
          <ul className={styles.services}>
            {services.map((service, index) => (
              <Service key={service.orderServiceId} service={service} index={index} />
            ))}
          </ul>
        )}
      </FormSection>
    </EditForm>
  )
}

/** Order services of a job and their prices. Without the feature the server would discard them, so the form is not shown. */
export const OrderServicesSettingsScreen = (params: JobParams) => {
  const { features } = useStudio()
  return (
    <JobSettingsLayout params={params} tail="settings/standard">
      {(settings) =>
        features.has('orderServices') ? (
          <OrderServicesForm params={params} settings={settings} />
        ) : (
          <Notice tone="attention">
            Your studio does not have order services, so there is nothing to order beside packages. The people who run
            this platform can switch them on.
          </Notice>
        )
      }
    </JobSettingsLayout>
  )
}
