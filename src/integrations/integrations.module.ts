import { Module } from '@nestjs/common';
import { VariablesModule } from '../variables/variables.module';
import { ResourcesModule } from '../resources/resources.module';
import { AnsibleInventoryController } from './ansible/ansible-inventory.controller';
import { AnsibleInventoryService } from './ansible/ansible-inventory.service';
import { HostQueryService } from './host-query.service';
import { PrometheusSdController } from './prometheus/prometheus-sd.controller';
import { PrometheusSdService } from './prometheus/prometheus-sd.service';
import { PuppetEncController } from './puppet/puppet-enc.controller';
import { SaltPillarController } from './salt/salt-pillar.controller';
import { JsonStreamResponder } from './streamed-json-response';

/** Endpoints in the formats of other programs: Ansible, Prometheus, Puppet and Salt. */
@Module({
  imports: [VariablesModule, ResourcesModule],
  controllers: [
    AnsibleInventoryController,
    PrometheusSdController,
    SaltPillarController,
    PuppetEncController,
  ],
  providers: [AnsibleInventoryService, HostQueryService, JsonStreamResponder, PrometheusSdService],
})
export class IntegrationsModule {}
