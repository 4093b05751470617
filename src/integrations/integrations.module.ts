import { Logger, Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module';
import { AnsibleInventoryController } from './ansible/ansible-inventory.controller';
import { AnsibleInventoryService } from './ansible/ansible-inventory.service';
import { NamedHosts } from './config-management/hosts-by-name.service';
import { PuppetEncController } from './config-management/puppet-enc.controller';
import { SaltPillarController } from './config-management/salt-pillar.controller';
import { HostReadings } from './hosts/host-query.service';
import { LeftOutLog } from './prometheus/skipped-hosts';
import { PrometheusSdController } from './prometheus/prometheus-sd.controller';
import { PrometheusSdService } from './prometheus/prometheus-sd.service';
import { JsonStreams } from './streamed-json-response';

/** Endpoints in the formats of other programs: Ansible, Prometheus, Puppet and Salt. */
@Module({
  imports: [ResourcesModule],
  controllers: [
    AnsibleInventoryController,
    PrometheusSdController,
    SaltPillarController,
    PuppetEncController,
  ],
  providers: [
    AnsibleInventoryService,
    HostReadings,
    JsonStreams,
    { provide: LeftOutLog, useFactory: () => new LeftOutLog(new Logger('Integrations')) },
    NamedHosts,
    PrometheusSdService,
  ],
})
export class IntegrationsModule {}
