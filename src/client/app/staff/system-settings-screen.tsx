import { Link } from 'wouter'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { GridSection, SectionGrid } from '#client/staff/kit/screen/panel.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { Icon } from '#ui/icon.tsx'
import { systemNavigation } from './navigation-items.ts'
import styles from './system-settings-screen.module.css'

const describedItems = systemNavigation.flatMap(({ about, ...item }) =>
  about === undefined ? [] : [{ ...item, about }],
)

/** Index of the platform's settings: each screen of the navigation that has a description, by group. */
export const SystemSettingsScreen = () => (
  <StaffScreen title="System settings" lead={<p>What all studios share. A change applies from the next request.</p>}>
    <SectionGrid>
      {[...Map.groupBy(describedItems, ({ group }) => group ?? 'Platform')].map(([group, items]) => (
        <GridSection key={group} title={group}>
          <ul>
            {items.map(({ label, tail, icon, about }) => (
              <li key={tail}>
                <Link href={staffUrls.admin(tail)} className={styles.line}>
                  <Icon of={icon} />
                  <span className={styles.label}>
                    {label}
                    <small>{about}</small>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </GridSection>
      ))}
    </SectionGrid>
  </StaffScreen>
)
