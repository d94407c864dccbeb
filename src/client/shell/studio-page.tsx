import { StudioScreen } from '../customer/find/studio-screen.tsx'
import { findLater } from '../home/find-later.ts'
import { OrderSearchForm } from '../home/order-search-form.tsx'
import type { CodeRoute } from './urls.ts'

/** The studio's page with the order search on it: two features that know nothing of each other meet here. */
export const StudioPage = (place: CodeRoute) => (
  <StudioScreen {...place} orderSearch={<OrderSearchForm find={findLater} />} />
)
