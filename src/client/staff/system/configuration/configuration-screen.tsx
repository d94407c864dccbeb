import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getConfiguration, type PlatformConfiguration } from '#contract/system/configuration.ts'
import { platformSettings, settingGroups } from '#domain/configuration/platform-settings.ts'
import { MaintenancePanel } from './maintenance-panel.tsx'
import { SettingList } from './setting-list.tsx'
import { TestMail } from './test-mail.tsx'

const groupLeads: Readonly<Record<(typeof settingGroups)[number], string>> = {
  Studios: 'Who can have a studio, and how much it can store.',
  Access: 'Limits that protect the product and its users.',
  Retention: 'How long data is stored. Every night the product deletes what is older.',
  Email: 'Who emails come from.',
}

const SettingPanels = ({ configuration }: { configuration: PlatformConfiguration }) =>
  settingGroups.map((group) => (
    <Panel key={group} title={group} lead={groupLeads[group]}>
      <SettingList
        configuration={configuration}
        settings={configuration.settings.filter(({ key }) => platformSettings[key].group === group)}
      />
      {group === 'Email' && <TestMail sendsMail={configuration.sendsMail} />}
    </Panel>
  ))

/** The settings of the platform, and when it is closed for maintenance. */
export const ConfigurationScreen = () => {
  const query = useStaffQuery(getConfiguration, { refetchIntervalMs: 30_000 })
  return (
    <StaffScreen title="Configuration" lead={<p>A change applies within two seconds, and to the next nightly run.</p>}>
      <QueryBoundary query={query}>
        {(configuration) => (
          <div>
            <MaintenancePanel maintenance={configuration.maintenance} />
            <SettingPanels configuration={configuration} />
          </div>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}
