import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { type JobSettings, type OfferedService, patchStandard } from '#contract/studio/job-settings.ts'
import { formatMoney, toCents } from '#domain/pricing/money.ts'
import type { Rules } from '#domain/shared/validators.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from './job-settings.module.css'
import { FormSection, JobSettingsLayout } from './job-settings-layout.tsx'
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

const isPrice = (value: unknown): boolean => /^\d{1,6}(\.\d{1,2})?$/.test(String(value).trim())

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
  allowNameOnWallets: 'Name on wallet prints',
  imageLevelService: 'Retouching per photo',
  services: 'Services',
}

const ServiceRow = ({ service, index }: { service: OfferedService; index: number }) => (
  <li className={styles.service}>
    <CheckField
      name={`services.${index}.enabled`}
      label={service.name}
      hint={[service.description, `usually ${formatMoney(toCents(service.usualPrice))}`].filter(Boolean).join(', ')}
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
        <CheckField name="allowRetouch" label="Retouching" hint="Offer the retouching services below" />
        <CheckField
          name="imageLevelService"
          label="Retouching per photo"
          hint="Otherwise it is ordered once per child, for all photos"
        />
        <CheckField name="allowNameOnAllPrints" label="Name and year on all prints" />
        <CheckField name="allowNameOnWallets" label="Name and year on wallet prints" />
      </FormSection>
      <FormSection title="Services" lead="Each at this event’s own price, in dollars.">
        {services.length === 0 ? (
          <p>The platform offers no services at the moment.</p>
        ) : (
          <ul className={styles.services}>
            {services.map((service, index) => (
              <ServiceRow key={service.orderServiceId} service={service} index={index} />
            ))}
          </ul>
        )}
      </FormSection>
    </EditForm>
  )
}

/** Order services of a job and their prices. The form is not shown without the feature, because the server would reject it. */
export const OrderServicesSettingsScreen = (params: JobParams) => {
  const { features } = useStudio()
  return (
    <JobSettingsLayout params={params} tail="settings/standard">
      {(settings) =>
        features.has('orderServices') ? (
          <OrderServicesForm params={params} settings={settings} />
        ) : (
          <Notice tone="attention">
            Your studio doesn’t have order services. The platform’s administrators can switch them on.
          </Notice>
        )
      }
    </JobSettingsLayout>
  )
}
