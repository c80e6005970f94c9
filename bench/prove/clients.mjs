// Released integrations beside a running service, as their users install them: test/integrations. A part of `npm run prove` and
// not of the suite, because they are larger than the service.
import { installIntegrations } from '../../test/integrations/install.mjs'
import { testRows } from './rows/vitest.mjs'

export async function prove() {
  installIntegrations()
  return { title: 'Clients', rows: testRows(['test/integrations'], { ORB_TEST_INTEGRATIONS: 'on' }, 'all pass') }
}
