// Written by `npm run generate` from the description of the API. Not to be edited.

export interface paths {
  '/v1/devices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List devices of all kinds */
    get: operations['devicesList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Set the same variables on many hosts, in one change */
    put: operations['hostsSetVariables'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List hosts */
    get: operations['hostsList'];
    put?: never;
    /** Create a host, or several in one change */
    post: operations['hostsCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a host */
    get: operations['hostsShow'];
    /** Change members of a host; other members do not change */
    put: operations['hostsUpdate'];
    post?: never;
    /** Delete a host that is not in use */
    delete: operations['hostsDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts/{id}/labels': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the labels of a host */
    get: operations['hostLabelsGet'];
    /** Add labels to a host */
    put: operations['hostLabelsAdd'];
    post?: never;
    /** Remove labels from a host */
    delete: operations['hostLabelsRemove'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts/{id}/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the own or resolved variables of a host */
    get: operations['hostVariablesGet'];
    /** Set variables of a host; other variables do not change */
    put: operations['hostVariablesSet'];
    post?: never;
    /** Delete variables of a host */
    delete: operations['hostVariablesDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts/{id}/variables/explain': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Explain which levels the variables of a host come from */
    get: operations['hostVariablesExplain'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts/{id}/variables/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get one own variable of a host */
    get: operations['hostVariableGet'];
    /** Set one variable of a host */
    put: operations['hostVariableSet'];
    post?: never;
    /** Delete one variable of a host */
    delete: operations['hostVariableDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Set the same variables on many network-devices, in one change */
    put: operations['networkDevicesSetVariables'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List network-devices */
    get: operations['networkDevicesList'];
    put?: never;
    /** Create a network device, or several in one change */
    post: operations['networkDevicesCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a network device */
    get: operations['networkDevicesShow'];
    /** Change members of a network device; other members do not change */
    put: operations['networkDevicesUpdate'];
    post?: never;
    /** Delete a network device that is not in use */
    delete: operations['networkDevicesDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices/{id}/labels': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the labels of a network-device */
    get: operations['networkDeviceLabelsGet'];
    /** Add labels to a network-device */
    put: operations['networkDeviceLabelsAdd'];
    post?: never;
    /** Remove labels from a network-device */
    delete: operations['networkDeviceLabelsRemove'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices/{id}/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the own or resolved variables of a network-device */
    get: operations['networkDeviceVariablesGet'];
    /** Set variables of a network-device; other variables do not change */
    put: operations['networkDeviceVariablesSet'];
    post?: never;
    /** Delete variables of a network-device */
    delete: operations['networkDeviceVariablesDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices/{id}/variables/explain': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Explain which levels the variables of a network-device come from */
    get: operations['networkDeviceVariablesExplain'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices/{id}/variables/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get one own variable of a network-device */
    get: operations['networkDeviceVariableGet'];
    /** Set one variable of a network-device */
    put: operations['networkDeviceVariableSet'];
    post?: never;
    /** Delete one variable of a network-device */
    delete: operations['networkDeviceVariableDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/projects': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List projects */
    get: operations['projectsList'];
    put?: never;
    /** Create a project */
    post: operations['projectsCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/projects/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a project */
    get: operations['projectsShow'];
    /** Change members of a project; other members do not change */
    put: operations['projectsUpdate'];
    post?: never;
    /** Delete a project that is not in use */
    delete: operations['projectsDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/projects/{id}/settings': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the settings of a project: rules for its changes, and private variables */
    get: operations['projectSettingsShow'];
    /** Update the settings of a project: rules for its changes, and private variables */
    put: operations['projectSettingsUpdate'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List users */
    get: operations['usersList'];
    put?: never;
    /** Create a user, or several in one change */
    post: operations['usersCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a user */
    get: operations['usersShow'];
    /** Change members of a user; other members do not change */
    put: operations['usersUpdate'];
    post?: never;
    /** Delete a user that is not in use */
    delete: operations['usersDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/api-key': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Create an API key for a user and revoke the user's other keys */
    post: operations['userApiKeysReplace'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/api-keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List api-keys of a user */
    get: operations['userApiKeysList'];
    put?: never;
    /** Create a further API key for a user; the user's other keys stay valid */
    post: operations['userApiKeysCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/api-keys/{key_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Revoke one of a user's API keys */
    delete: operations['userApiKeysRevoke'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/whoami': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show who makes the request: user, project, roles and API key */
    get: operations['whoami'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the own or resolved variables of a user */
    get: operations['userVariablesGet'];
    /** Set variables of a user; other variables do not change */
    put: operations['userVariablesSet'];
    post?: never;
    /** Delete variables of a user */
    delete: operations['userVariablesDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/variables/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get one own variable of a user */
    get: operations['userVariableGet'];
    /** Set one variable of a user */
    put: operations['userVariableSet'];
    post?: never;
    /** Delete one variable of a user */
    delete: operations['userVariableDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/session': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the session of the request: user, project, and which projects can be entered */
    get: operations['sessionShow'];
    /** Enter another project */
    put: operations['sessionEnter'];
    /** Start a session in the project of the request, with an API key in the headers */
    post: operations['sessionStart'];
    /** End the session: sign out */
    delete: operations['sessionEnd'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sign-in': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show how users can sign in */
    get: operations['signInShow'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/session/oidc': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Sign in at the OpenID provider, with a browser */
    get: operations['signInBegin'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/session/oidc/callback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Complete a sign-in: the OpenID provider sends the browser here */
    get: operations['signInComplete'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/clouds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List clouds */
    get: operations['cloudsList'];
    put?: never;
    /** Create a cloud, or several in one change */
    post: operations['cloudsCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/clouds/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a cloud */
    get: operations['cloudsShow'];
    /** Change members of a cloud; other members do not change */
    put: operations['cloudsUpdate'];
    post?: never;
    /** Delete a cloud that is not in use */
    delete: operations['cloudsDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/regions/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Set the same variables on many regions, in one change */
    put: operations['regionsSetVariables'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/regions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List regions */
    get: operations['regionsList'];
    put?: never;
    /** Create a region, or several in one change */
    post: operations['regionsCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/regions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a region */
    get: operations['regionsShow'];
    /** Change members of a region; other members do not change */
    put: operations['regionsUpdate'];
    post?: never;
    /** Delete a region that is not in use */
    delete: operations['regionsDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/regions/{id}/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the own or resolved variables of a region */
    get: operations['regionVariablesGet'];
    /** Set variables of a region; other variables do not change */
    put: operations['regionVariablesSet'];
    post?: never;
    /** Delete variables of a region */
    delete: operations['regionVariablesDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/regions/{id}/variables/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get one own variable of a region */
    get: operations['regionVariableGet'];
    /** Set one variable of a region */
    put: operations['regionVariableSet'];
    post?: never;
    /** Delete one variable of a region */
    delete: operations['regionVariableDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cells/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Set the same variables on many cells, in one change */
    put: operations['cellsSetVariables'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cells': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List cells */
    get: operations['cellsList'];
    put?: never;
    /** Create a cell, or several in one change */
    post: operations['cellsCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cells/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a cell */
    get: operations['cellsShow'];
    /** Change members of a cell; other members do not change */
    put: operations['cellsUpdate'];
    post?: never;
    /** Delete a cell that is not in use */
    delete: operations['cellsDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cells/{id}/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the own or resolved variables of a cell */
    get: operations['cellVariablesGet'];
    /** Set variables of a cell; other variables do not change */
    put: operations['cellVariablesSet'];
    post?: never;
    /** Delete variables of a cell */
    delete: operations['cellVariablesDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cells/{id}/variables/explain': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Explain which levels the variables of a cell come from */
    get: operations['cellVariablesExplain'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cells/{id}/variables/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get one own variable of a cell */
    get: operations['cellVariableGet'];
    /** Set one variable of a cell */
    put: operations['cellVariableSet'];
    post?: never;
    /** Delete one variable of a cell */
    delete: operations['cellVariableDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/labels/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Set the same variables on many labels, in one change */
    put: operations['labelsSetVariables'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/labels': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List labels */
    get: operations['labelsList'];
    put?: never;
    /** Create a label, or several in one change */
    post: operations['labelsCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/labels/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a label */
    get: operations['labelsShow'];
    /** Change members of a label; other members do not change */
    put: operations['labelsUpdate'];
    post?: never;
    /** Delete a label that is not in use */
    delete: operations['labelsDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/labels/{id}/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the own or resolved variables of a label */
    get: operations['labelVariablesGet'];
    /** Set variables of a label; other variables do not change */
    put: operations['labelVariablesSet'];
    post?: never;
    /** Delete variables of a label */
    delete: operations['labelVariablesDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/labels/{id}/variables/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get one own variable of a label */
    get: operations['labelVariableGet'];
    /** Set one variable of a label */
    put: operations['labelVariableSet'];
    post?: never;
    /** Delete one variable of a label */
    delete: operations['labelVariableDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/access-secrets': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List access-secrets */
    get: operations['accessSecretsList'];
    put?: never;
    /** Create an access secret, or several in one change */
    post: operations['accessSecretsCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/access-secrets/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show an access secret */
    get: operations['accessSecretsShow'];
    /** Change members of an access secret; other members do not change */
    put: operations['accessSecretsUpdate'];
    post?: never;
    /** Delete an access secret that is not in use */
    delete: operations['accessSecretsDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/feed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Follow changes from a cursor: each change is delivered once */
    get: operations['changesFollow'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/impact': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** How the resolved variables of devices differ between two moments */
    get: operations['changesShowNetImpact'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/impact/devices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the devices of a group of `changesShowNetImpact` */
    get: operations['changesListNetImpactDevices'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes */
    get: operations['changesList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/counts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Count changes in equally long intervals of time */
    get: operations['changesCount'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a change */
    get: operations['changesShow'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/{id}/objects': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List all objects of a change, in the order in which the change touched them */
    get: operations['changeObjectsList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/{id}/revert': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revert a change, or several, with a new change */
    post: operations['changesRevert'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/{id}/impact': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Devices whose resolved variables a change altered */
    get: operations['changesShowImpact'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/{id}/impact/groups': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** How many devices a change affected, by changes of values */
    get: operations['changesShowImpactGroups'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts/{id}/changes/resolved': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the changes of the resolved variables of a host */
    get: operations['hostChangesResolved'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices/{id}/changes/resolved': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the changes of the resolved variables of a network device */
    get: operations['networkDeviceChangesResolved'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/projects/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a project */
    get: operations['projectChangesList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/access-secrets/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of an access secret */
    get: operations['accessSecretChangesList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/clouds/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a cloud */
    get: operations['cloudChangesList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/regions/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a region */
    get: operations['regionChangesList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cells/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a cell */
    get: operations['cellChangesList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/labels/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a label */
    get: operations['labelChangesList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a user */
    get: operations['userChangesList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/hosts/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a host */
    get: operations['hostChangesList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/network-devices/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a network device */
    get: operations['networkDeviceChangesList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/variable-definitions/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a variable definition */
    get: operations['variableDefinitionChangesList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audits/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of an audit */
    get: operations['auditChangesList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/views/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a view */
    get: operations['viewChangesList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proposals/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes of a proposal */
    get: operations['proposalChangesList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the assignments of variables to regions, cells, labels and devices, in the order of key, kind and id */
    get: operations['variableAssignmentsList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/variable-keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the keys of variables, and count the resources that set and resolve them */
    get: operations['variableKeysList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/devices/counts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Count devices, in groups */
    get: operations['devicesCount'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/variable-keys/{key}/values': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Count the devices that resolve a variable to each of its values */
    get: operations['variableValuesCount'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/search': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Search resources of all kinds, variables and changes */
    get: operations['search'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/variable-definitions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List variable-definitions */
    get: operations['variableDefinitionsList'];
    put?: never;
    /** Create a variable definition, or several in one change */
    post: operations['variableDefinitionsCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/variable-definitions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a variable definition */
    get: operations['variableDefinitionsShow'];
    /** Change members of a variable definition; other members do not change */
    put: operations['variableDefinitionsUpdate'];
    post?: never;
    /** Delete a variable definition that is not in use */
    delete: operations['variableDefinitionsDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/variable-definitions/{id}/violations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List values that violate a variable definition because they are older than it */
    get: operations['variableDefinitionsListViolations'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/variable-definitions/violations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** List values that would violate a variable definition. Nothing is written */
    post: operations['variableDefinitionsPreviewViolations'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audits': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List audits */
    get: operations['auditsList'];
    put?: never;
    /** Create an audit, or several in one change */
    post: operations['auditsCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audits/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show an audit */
    get: operations['auditsShow'];
    /** Change members of an audit; other members do not change */
    put: operations['auditsUpdate'];
    post?: never;
    /** Delete an audit that is not in use */
    delete: operations['auditsDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audits/{id}/run': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Run an audit: count the devices that pass, and list those that fail with their values */
    post: operations['auditsRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audits/{id}/remediate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Set the value that an audit expects at a level, or preview it with `dry_run` */
    post: operations['auditsRemediate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audits/{id}/runs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the past runs of an audit */
    get: operations['auditsListRuns'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/views': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List views */
    get: operations['viewsList'];
    put?: never;
    /** Create a view, or several in one change */
    post: operations['viewsCreate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/views/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a view */
    get: operations['viewsShow'];
    /** Change members of a view; other members do not change */
    put: operations['viewsUpdate'];
    post?: never;
    /** Delete a view that is not in use */
    delete: operations['viewsDelete'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/session/views': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the views that the user saved for themselves in the project */
    get: operations['sessionViewsShow'];
    /** Replace the views that the user saved for themselves in the project */
    put: operations['sessionViewsReplace'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Export the inventory of the project as a stream, from one consistent snapshot */
    get: operations['exportInventory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Import an inventory: create and update resources, identified by name, in one change */
    post: operations['importInventory'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/batch': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Do several writes of the inventory, in order, in one change */
    post: operations['batch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proposals': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List proposals */
    get: operations['proposalsList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proposals/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a proposal */
    get: operations['proposalsShow'];
    /** Amend a proposal: change its members, or its operations in a new revision */
    put: operations['proposalsUpdate'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proposals/{id}/revisions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the revisions of a proposal */
    get: operations['proposalsRevisions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proposals/{id}/revisions/{revision}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a revision of a proposal */
    get: operations['proposalsRevision'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proposals/{id}/withdraw': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Withdraw a proposal */
    post: operations['proposalsWithdraw'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proposals/{id}/comments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List comments of a proposal */
    get: operations['proposalCommentsList'];
    put?: never;
    /** Comment on a proposal */
    post: operations['proposalsComment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proposals/{id}/preview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Compute what a proposal would do now */
    get: operations['proposalsPreview'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proposals/{id}/reviews': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Approve or reject a revision of a proposal */
    post: operations['proposalsReview'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/proposals/{id}/apply': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Apply a proposal: do its operations, in order, in one change */
    post: operations['proposalsApply'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/ansible-inventory': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The devices of the project, by default its hosts, as an Ansible inventory, streamed from one consistent snapshot */
    get: operations['ansibleInventory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/prometheus-sd': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The hosts of the project as Prometheus targets, streamed from one consistent snapshot */
    get: operations['prometheusTargets'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/salt-pillar': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The resolved variables of a host, as a Salt pillar */
    get: operations['saltPillar'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/puppet-enc': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The resolved variables of a host, in the format of a Puppet external node classifier (ENC) */
    get: operations['puppetNode'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    AccessSecret: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
    };
    AccessSecretList: components['schemas']['AccessSecret'][];
    AccessSecretListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
    };
    AccessSecretOrPreview: components['schemas']['AccessSecret'] | components['schemas']['Preview'];
    AccessSecretPage: {
      items: components['schemas']['AccessSecretListItem'][];
      links: components['schemas']['Link'][];
    };
    AccessSecretsOrPreview:
      | components['schemas']['AccessSecret']
      | components['schemas']['AccessSecretList']
      | components['schemas']['Preview'];
    Actor: {
      /**
       * Format: int64
       * @description `null` for a command.
       */
      id: number | null;
      /** @description The username at the time of the change. */
      username: string;
    };
    AffectedDevice: {
      kind: string;
      /** Format: int64 */
      id: number;
      name: string;
      /** @description Both sides of every resolved variable that changes; a side is absent where the key is not set. */
      changes: components['schemas']['VariableChanges'];
    };
    AnsibleInventory: {
      [key: string]: unknown;
    };
    ApiError: {
      /**
       * @description A stable code for programs.
       * @enum {string}
       */
      code:
        | 'invalid_request'
        | 'unauthenticated'
        | 'forbidden'
        | 'approval_required'
        | 'not_found'
        | 'validation_exception'
        | 'method_not_allowed'
        | 'not_acceptable'
        | 'conflict'
        | 'revision_changed'
        | 'impact_changed'
        | 'approval_missing'
        | 'version_mismatch'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'too_many_requests'
        | 'internal_error'
        | 'unavailable';
      message: string;
      details: components['schemas']['ErrorDetail'][];
      /** @description Identifies the request in the log. */
      request_id: string;
    };
    ApiKey: {
      /**
       * Format: int64
       * @description The position in the list, for `marker`.
       */
      id: number;
      /** @description The part of the key between the underscores. */
      key_id: string;
      /** @enum {string} */
      state: 'in use' | 'expired' | 'revoked';
      /** @description What the key is for, as said when it was created. */
      note: string | null;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description When the key expires; `null`: never. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      expires_at: string | null;
      /** @description When the key was revoked; `null` if it was not. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      revoked_at: string | null;
    };
    ApiKeyListItem: {
      /**
       * Format: int64
       * @description The position in the list, for `marker`.
       */
      id?: number;
      /** @description The part of the key between the underscores. */
      key_id?: string;
      /** @enum {string} */
      state?: 'in use' | 'expired' | 'revoked';
      /** @description What the key is for, as said when it was created. */
      note?: string | null;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description When the key expires; `null`: never. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      expires_at?: string | null;
      /** @description When the key was revoked; `null` if it was not. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      revoked_at?: string | null;
    };
    ApiKeyPage: {
      items: components['schemas']['ApiKeyListItem'][];
      links: components['schemas']['Link'][];
    };
    AppliedProposal: {
      /** Format: int64 */
      id: number;
      /** @description The revision that was applied. */
      revision: number;
      author: components['schemas']['ProposalUser'];
      /** @description Those whose approvals counted. */
      approvers: components['schemas']['ProposalUser'][];
    };
    ApprovalCounts: {
      /** @description How many approvals it needed when its revision was made. A preview has the present number. */
      required: number;
      /** @description How many users approve the present revision. A preview says which approvals still count. */
      given: number;
    };
    ApprovalRule: {
      /** @description Keys, or prefixes of keys followed by `*`. The write sets or removes such a key, or alters its resolved value for a device. */
      keys?: string[];
      /** @description The write touches a resource of one of these collections. */
      collections?: string[];
      /** @description The write alters a resolved value for at least as many devices. */
      min_devices?: number;
      /** @description How many approvals it needs. */
      approvals: number;
      /** @description The role that the approvers need: `admin`, or a role of users. Admins have every role. Without it, everybody who may do the write can approve it. */
      approvers?: string;
    };
    Audit: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      name: string;
      description: string | null;
      /**
       * @description The kind of device that the audit targets; `null` for all kinds.
       * @enum {string|null}
       */
      kind: 'host' | 'network-device' | null;
      /** @description The devices that the audit targets, as filters on resolved variables; `null` for all. */
      vars: string | null;
      /** @description Further conditions on these devices, in the syntax of the parameter `where` of lists; `null` for none. */
      where: string[] | null;
      /** @description The condition that every targeted device must meet. */
      expectation: components['schemas']['Expectation'];
      /** @description The variables that the audit refers to. */
      keys: string[];
    };
    AuditList: components['schemas']['Audit'][];
    AuditListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description Unique in the project. */
      name?: string;
      description?: string | null;
      /**
       * @description The kind of device that the audit targets; `null` for all kinds.
       * @enum {string|null}
       */
      kind?: 'host' | 'network-device' | null;
      /** @description The devices that the audit targets, as filters on resolved variables; `null` for all. */
      vars?: string | null;
      /** @description Further conditions on these devices, in the syntax of the parameter `where` of lists; `null` for none. */
      where?: string[] | null;
      /** @description The condition that every targeted device must meet. */
      expectation?: components['schemas']['Expectation'];
      /** @description The variables that the audit refers to. */
      keys?: string[];
    };
    AuditOrPreview: components['schemas']['Audit'] | components['schemas']['Preview'];
    AuditPage: {
      items: components['schemas']['AuditListItem'][];
      links: components['schemas']['Link'][];
    };
    AuditResult: {
      audit: components['schemas']['RunAudit'];
      /** @description The number of devices that the audit targets. */
      devices: number;
      passed: number;
      failed: number;
      /** @description The targeted devices by region and cell, those with the most failing devices first: up to 1,000. Only on the first page. */
      locations?: components['schemas']['AuditedLocation'][];
      /** @description How many locations the targeted devices have, also beyond those shown. Only on the first page. */
      locations_total?: number;
      /** @description The variable that a remediation sets, and its value; `null` if the audit covers several variables. Only on the first page. */
      remediation?: components['schemas']['ImpliedRemediation'] | null;
      /** @description A page of the failing devices, ordered by id. It has fewer items if values are long. */
      items: components['schemas']['Failure'][];
      /** @description `self`, and `next` if there are more items. Send a POST request to follow them. */
      links: components['schemas']['Link'][];
    };
    AuditedLocation: {
      /** Format: int64 */
      region_id: number;
      /**
       * Format: int64
       * @description `null`: the devices of the region that are in no cell.
       */
      cell_id: number | null;
      devices: number;
      failed: number;
    };
    AuditsOrPreview:
      | components['schemas']['Audit']
      | components['schemas']['AuditList']
      | components['schemas']['Preview'];
    Batch: {
      /** @description The writes, in the order in which they are done. */
      operations: components['schemas']['BatchOperation'][];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
    };
    BatchOperation: {
      /** @description A name, unique in the request. Later operations refer to the id of the resource that this operation creates: with `{"$ref": "rack.id"}` in place of any value of their bodies, and with `{rack.id}` in their paths. */
      id?: string;
      /** @enum {string} */
      method: 'POST' | 'PUT' | 'DELETE';
      /** @description The path of the write, with its query. */
      path: string;
      /** @description The body that the write has when it is sent alone. */
      body?: unknown;
      /** @description The `If-Match` of the write. A version that an earlier operation raised is the raised one. */
      if_match?: string;
      /** @description The `If-None-Match` of the write. */
      if_none_match?: string;
    };
    BatchResult: {
      /**
       * Format: int64
       * @description The id of the change record; `null` if nothing changed.
       */
      change_id: number | null;
      /** @description The results, in the order of the operations. */
      results: components['schemas']['OperationResult'][];
    };
    BatchResultOrPreview: components['schemas']['BatchResult'] | components['schemas']['Preview'];
    Caller: {
      /** @description Unique in the project. */
      username: string;
      is_admin: boolean;
      is_root: boolean;
      roles: string[];
      /** Format: int64 */
      user_id: number;
      /**
       * Format: uuid
       * @description The project of the request.
       */
      project_id: string;
      project_name: string;
      /** @description The id of the API key of the request; `null` with a token of Keystone or of an OpenID provider. */
      key_id: string | null;
      /** @description When this key expires; `null`: never. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      key_expires_at: string | null;
    };
    Cell: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the region. */
      name: string;
      /** Format: int64 */
      region_id: number;
      /** @description Names joined by `,`, sorted by code point. */
      labels: string;
      note: string | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables: components['schemas']['VariableMap'];
      /** @description The origin of the variables that the query parameter `explain` names. Absent without that parameter. */
      explain?: {
        [key: string]: components['schemas']['Explanation'];
      };
    };
    CellLine: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: components['schemas']['LabelNames'];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: components['schemas']['VariableMap'];
      /** @description Unique in the region. */
      name?: string;
      /** @enum {string} */
      kind: 'cell';
      /** @description The keys of variables to remove. Keys that are not set are no error. */
      unset_variables?: string[];
      /** @description Whether a number of `variables` leaves an equal one as it is, with the zeros at the end of its fraction: 6.1 does not replace 6.10. Records of tables do. */
      keep_equal_numbers?: boolean;
      /** @description The line is imported only if the resource exists and has this version. */
      if_version?: number;
      /** @description The line is imported only if the resource exists and has this id: names can be given away. */
      if_id?: number;
      /** @description The name of the cell's region. */
      region?: string;
    };
    CellList: components['schemas']['Cell'][];
    CellListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description Unique in the region. */
      name?: string;
      /** Format: int64 */
      region_id?: number;
      /** @description Names joined by `,`, sorted by code point. */
      labels?: string;
      note?: string | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables?: components['schemas']['VariableMap'];
      /** @description The origin of the variables that the query parameter `explain` names. Absent without that parameter. */
      explain?: {
        [key: string]: components['schemas']['Explanation'];
      };
    };
    CellOrPreview: components['schemas']['Cell'] | components['schemas']['Preview'];
    CellPage: {
      items: components['schemas']['CellListItem'][];
      links: components['schemas']['Link'][];
    };
    CellReference: number | components['schemas']['CellWithId'];
    CellWithId: {
      /** Format: int64 */
      id: number;
    };
    CellsOrPreview:
      | components['schemas']['Cell']
      | components['schemas']['CellList']
      | components['schemas']['Preview'];
    ChangeCounts: {
      /** @description The number of changes that match the filters. */
      changes: number;
      /** @description The intervals in order of time, without gaps. Their lengths differ by at most one microsecond. There are fewer than requested only if the whole range has fewer microseconds than that, and none if it is empty. */
      intervals: components['schemas']['ChangeInterval'][];
    };
    ChangeInterval: {
      /** @description The beginning. With `since` and `until` as filters, `GET /v1/changes` lists the changes. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      since: string;
      /** @description The end, which does not belong to the interval. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      until: string;
      changes: number;
    };
    ChangeReason: {
      /** @description Whether every change needs a reason. */
      required: boolean;
      /** @description A regular expression (RE2) that a part of the reason must match; `null`: any reason is accepted. */
      pattern: string | null;
    };
    ChangeRecord: {
      /** Format: uuid */
      project_id: string;
      actor: components['schemas']['Actor'];
      request_id: string;
      reason: string | null;
      /** @description Why an admin passed the rules for approvals: the header `X-Change-Override`. */
      override: string | null;
      /** @description `null` if the write was done without a proposal. */
      proposal: components['schemas']['AppliedProposal'] | null;
      /** @description The ids of the changes that it reverted, newest first. */
      reverts: number[];
      /** @description `null` in records from before impacts were counted. For callers who do not see all variables, also `null` in records from before a variable became private. */
      impact: components['schemas']['ImpactCount'] | null;
      /**
       * Format: int64
       * @description How many resources it touched that the caller may see.
       */
      objects_total: number;
      /** @description In the order in which they were touched: the first 1,000 in a single record, the first 100 in lists and in the feed. `/v1/changes/{id}/objects` lists all of them. */
      objects: components['schemas']['ChangedObject'][];
      /** Format: int64 */
      id: number;
      /** @description The ids of the changes that reverted it. A change whose revert was reverted has this revert, too. */
      reverted_by: number[];
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
    };
    ChangeRecordListItem: {
      /** Format: uuid */
      project_id?: string;
      actor?: components['schemas']['Actor'];
      request_id?: string;
      reason?: string | null;
      /** @description Why an admin passed the rules for approvals: the header `X-Change-Override`. */
      override?: string | null;
      /** @description `null` if the write was done without a proposal. */
      proposal?: components['schemas']['AppliedProposal'] | null;
      /** @description The ids of the changes that it reverted, newest first. */
      reverts?: number[];
      /** @description `null` in records from before impacts were counted. For callers who do not see all variables, also `null` in records from before a variable became private. */
      impact?: components['schemas']['ImpactCount'] | null;
      /**
       * Format: int64
       * @description How many resources it touched that the caller may see.
       */
      objects_total?: number;
      /** @description In the order in which they were touched: the first 1,000 in a single record, the first 100 in lists and in the feed. `/v1/changes/{id}/objects` lists all of them. */
      objects?: components['schemas']['ChangedObject'][];
      /** Format: int64 */
      id?: number;
      /** @description The ids of the changes that reverted it. A change whose revert was reverted has this revert, too. */
      reverted_by?: number[];
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
    };
    ChangeRecordOrPreview: components['schemas']['ChangeRecord'] | components['schemas']['Preview'];
    ChangeRecordPage: {
      items: components['schemas']['ChangeRecordListItem'][];
      links: components['schemas']['Link'][];
    };
    ChangedLevel: {
      kind: string;
      /** Format: int64 */
      id: number;
      name: string;
      /** @enum {string} */
      action: 'create' | 'update' | 'delete';
    };
    ChangedObject: {
      kind: string;
      id: components['schemas']['ResourceId'];
      name: string;
      /** @enum {string} */
      action: 'create' | 'update' | 'delete';
      before: components['schemas']['ResourceMembers'] | null;
      after: components['schemas']['ResourceMembers'] | null;
      /** @description Both sides of every variable that changed; a side is absent where the key is not set. */
      variables: components['schemas']['VariableChanges'];
    };
    ChangedObjectPage: {
      items: components['schemas']['ChangedObject'][];
      links: components['schemas']['Link'][];
    };
    ClassifiedNode: {
      /** @description The value of the variable `puppet_classes`: an array of class names, or an object that maps class names to parameters. */
      classes:
        | string[]
        | {
            [key: string]: Record<string, never> | null;
          };
      /** @description All other variables, except `trusted`, `facts` and `server_facts`, which Puppet reserves. */
      parameters: components['schemas']['VariableMap'];
      /** @description The value of the variable `puppet_environment`; absent if the variable is not set. */
      environment?: string;
    };
    Cloud: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      name: string;
      note: string | null;
    };
    CloudLine: {
      /** @description Unique in the project. */
      name?: string;
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @enum {string} */
      kind: 'cloud';
      /** @description The line is imported only if the resource exists and has this version. */
      if_version?: number;
      /** @description The line is imported only if the resource exists and has this id: names can be given away. */
      if_id?: number;
    };
    CloudList: components['schemas']['Cloud'][];
    CloudListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description Unique in the project. */
      name?: string;
      note?: string | null;
    };
    CloudOrPreview: components['schemas']['Cloud'] | components['schemas']['Preview'];
    CloudPage: {
      items: components['schemas']['CloudListItem'][];
      links: components['schemas']['Link'][];
    };
    CloudsOrPreview:
      | components['schemas']['Cloud']
      | components['schemas']['CloudList']
      | components['schemas']['Preview'];
    CountedValue: {
      value: unknown;
      devices: number;
    };
    CreateAccessSecret: {
      /** @description Encrypted at rest. */
      cert: string;
    };
    CreateAccessSecretList: components['schemas']['CreateAccessSecret'][];
    CreateAccessSecrets:
      | components['schemas']['CreateAccessSecret']
      | components['schemas']['CreateAccessSecretList'];
    CreateAudit: {
      /** @description Unique in the project. */
      name: string;
      /** @description The purpose of the audit. */
      description?: string | null;
      /**
       * @description The kind of device that the audit targets; `null` for all kinds.
       * @enum {string|null}
       */
      kind?: 'host' | 'network-device' | null;
      /** @description The devices that the audit targets, as filters on resolved variables; `null` for all. */
      vars?: string | null;
      /** @description Further conditions on these devices, in the syntax of the parameter `where` of lists; `null` for none. */
      where?: string[] | null;
      /** @description The condition that every targeted device must meet: `vars`, `where` or both, or `key` and `schema`. */
      expectation: components['schemas']['Expectation'];
    };
    CreateAuditList: components['schemas']['CreateAudit'][];
    CreateAudits: components['schemas']['CreateAudit'] | components['schemas']['CreateAuditList'];
    CreateCell: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: components['schemas']['LabelNames'];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: components['schemas']['VariableMap'];
      /** @description Unique in the region. */
      name: string;
      /**
       * Format: int64
       * @description The cell's region.
       */
      region_id: number;
    };
    CreateCellList: components['schemas']['CreateCell'][];
    CreateCells: components['schemas']['CreateCell'] | components['schemas']['CreateCellList'];
    CreateCloud: {
      /** @description Unique in the project. */
      name: string;
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
    };
    CreateCloudList: components['schemas']['CreateCloud'][];
    CreateClouds: components['schemas']['CreateCloud'] | components['schemas']['CreateCloudList'];
    CreateHost: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: components['schemas']['LabelNames'];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: components['schemas']['VariableMap'];
      /**
       * Format: int64
       * @description The device's cell. It must be in the device's region.
       */
      cell_id?: number | null;
      /**
       * Format: int64
       * @description The parent device, in the same project. It must not be the device itself or one of its descendants.
       */
      parent_id?: number | null;
      active?: boolean;
      /**
       * Format: int64
       * @description The access secret for the device.
       */
      access_secret_id?: number | null;
      /** @description Unique among the devices of the project. */
      name: string;
      /**
       * Format: int64
       * @description The device's region.
       */
      region_id: number;
      ip_address: string;
      device_type: string;
    };
    CreateHostList: components['schemas']['CreateHost'][];
    CreateHosts: components['schemas']['CreateHost'] | components['schemas']['CreateHostList'];
    CreateLabel: {
      label: string;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: components['schemas']['VariableMap'];
    };
    CreateLabelList: components['schemas']['CreateLabel'][];
    CreateLabels: components['schemas']['CreateLabel'] | components['schemas']['CreateLabelList'];
    CreateNetworkDevice: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: components['schemas']['LabelNames'];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: components['schemas']['VariableMap'];
      /**
       * Format: int64
       * @description The device's cell. It must be in the device's region.
       */
      cell_id?: number | null;
      /**
       * Format: int64
       * @description The parent device, in the same project. It must not be the device itself or one of its descendants.
       */
      parent_id?: number | null;
      active?: boolean;
      /**
       * Format: int64
       * @description The access secret for the device.
       */
      access_secret_id?: number | null;
      /** @description Unique among the devices of the project. */
      name: string;
      /**
       * Format: int64
       * @description The device's region.
       */
      region_id: number;
      ip_address: string;
      device_type: string;
      /** @description The model. */
      model_name?: string | null;
      /** @description The version of the operating system. */
      os_version?: string | null;
      /** @description Any JSON value, or `null`. */
      vlans?: unknown;
    };
    CreateNetworkDeviceList: components['schemas']['CreateNetworkDevice'][];
    CreateNetworkDevices:
      | components['schemas']['CreateNetworkDevice']
      | components['schemas']['CreateNetworkDeviceList'];
    CreateProject: {
      /** @description Unique in the deployment. */
      name: string;
    };
    CreateRegion: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: components['schemas']['LabelNames'];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: components['schemas']['VariableMap'];
      /** @description Unique in the project. */
      name: string;
      /**
       * Format: int64
       * @description The cloud that the region belongs to.
       */
      cloud_id?: number | null;
    };
    CreateRegionList: components['schemas']['CreateRegion'][];
    CreateRegions: components['schemas']['CreateRegion'] | components['schemas']['CreateRegionList'];
    CreateSavedView: {
      /** @description Unique in the project. */
      name: string;
      /** @description What the view is for. */
      description?: string | null;
      /** @description The page of the explorer with its filters, columns and order: the path and the query of its URL, without the project. */
      address: string;
    };
    CreateSavedViewList: components['schemas']['CreateSavedView'][];
    CreateSavedViews: components['schemas']['CreateSavedView'] | components['schemas']['CreateSavedViewList'];
    CreateUser: {
      is_admin?: boolean;
      /** @description Only root can set it. */
      is_root?: boolean;
      /** @description `<collection>:write`, `*:write`; a variable key, or a prefix of keys followed by `*`. */
      roles?: string[];
      /** @description Unique in the project. */
      username: string;
    };
    CreateUserList: components['schemas']['CreateUser'][];
    CreateUsers: components['schemas']['CreateUser'] | components['schemas']['CreateUserList'];
    CreateVariableDefinition: {
      /** @description A variable key, or a key prefix followed by `*`. Unique in the project. */
      key: string;
      /** @description The purpose of the variable. */
      description?: string | null;
      /** @description A JSON Schema of draft 2020-12, or of draft-07 if `$schema` names it. At most 64 KiB and 64 levels deep. */
      schema: components['schemas']['JsonSchema'];
    };
    CreateVariableDefinitionList: components['schemas']['CreateVariableDefinition'][];
    CreateVariableDefinitions:
      | components['schemas']['CreateVariableDefinition']
      | components['schemas']['CreateVariableDefinitionList'];
    DeviceCounts: {
      /** @description The number of devices that match the filters. */
      devices: number;
      /** @description The number of groups, including those beyond `limit`; 0 without `group_by`. */
      group_count: number;
      /** @description The groups with the most devices, the largest first. */
      groups: components['schemas']['DeviceGroup'][];
    };
    DeviceGroup: {
      region?: components['schemas']['GroupReference'];
      /** @description `null` for devices that are in no cell. */
      cell?: components['schemas']['GroupReference'] | null;
      /** @description A device with several labels is in several groups, and a device without labels is in none. */
      label?: components['schemas']['GroupReference'];
      /** @enum {string} */
      kind?: 'host' | 'network-device';
      active?: boolean;
      device_type?: string;
      devices: number;
    };
    DevicePage: {
      devices: components['schemas']['DevicesByKind'];
      links: components['schemas']['Link'][];
    };
    DevicesByKind: {
      hosts: components['schemas']['Host'][];
      'network-devices': components['schemas']['NetworkDevice'][];
    };
    DifferentDevice: {
      /** @description `null` for a device that does not exist any more. */
      kind: string | null;
      /** Format: int64 */
      id: number;
      /** @description `null` for a device that does not exist any more. */
      name: string | null;
      /** @description What was approved for it; `null`: nothing. */
      approved: components['schemas']['VariableChanges'] | null;
      /** @description What would change now; `null`: nothing. */
      now: components['schemas']['VariableChanges'] | null;
    };
    DifferentValue: {
      kind: string;
      /**
       * Format: int64
       * @description `null` for a resource that the proposal creates.
       */
      id: number | null;
      name: string;
      /** @description A member, or `variables.` and a key. */
      field: string;
      /** @description What was approved; `null`: it was not written. */
      approved: components['schemas']['WrittenValue'] | null;
      /** @description What would be written now; `null`: it is not written. */
      now: components['schemas']['WrittenValue'] | null;
    };
    EmptyBody: Record<string, never>;
    EnterProject: {
      /** Format: uuid */
      project_id: string;
    };
    ErrorDetail: {
      /** @description The invalid member, parameter or header. */
      field: string;
      /** @description Why, for programs. `required`: It is missing, and must be given. `unknown_member`: The body has a member that does not exist here, or that cannot be set. `unknown_parameter`: The query has a parameter that this request does not have. `unsupported`: This request does not support the header or the encoding. `repeated`: It was given more than once. `invalid_type`: The value has another JSON type. `invalid_format`: The value is not written in the required form. `invalid_value`: The value is not one of those that are allowed. `out_of_range`: The number or the time is too small or too large. `too_long`: It has too many characters, items or bytes. `too_short`: It has too few characters or items. `too_deep`: The value is nested too deeply. `inconsistent`: It contradicts another part of the request, or the inventory as it is. `not_found`: It names something that does not exist, or that the caller cannot see. `duplicate`: The value must be unique, and is already used. `in_use`: Other resources still refer to it. `schema_violation`: The value violates the schema of a variable definition or of an audit. `version_mismatch`: The precondition does not hold: the current version is another one. `changed_later`: A later change altered it, so the change cannot be reverted. `read_only`: It is managed by another system, and cannot be changed here. `limit_exceeded`: It would exceed a limit of the service, of the project or of the request. `approval_required`: A rule of the project requires approvals; `field` names the rule. `missing_role`: The roles of the caller do not allow it; `role` names one that does. */
      code: components['schemas']['ErrorDetailCode'];
      message: string;
      /** @description Of `missing_role`: a role that allows the request. `admin` and `root` are not roles, but kinds of users. One of several is enough. Absent if no role may be named. */
      role?: string;
      /** @description Of `schema_violation`: the JSON types that the definition of the variable accepts there, if the value has another one. */
      expected_types?: string[];
    };
    /**
     * @description Why, for programs. `required`: It is missing, and must be given. `unknown_member`: The body has a member that does not exist here, or that cannot be set. `unknown_parameter`: The query has a parameter that this request does not have. `unsupported`: This request does not support the header or the encoding. `repeated`: It was given more than once. `invalid_type`: The value has another JSON type. `invalid_format`: The value is not written in the required form. `invalid_value`: The value is not one of those that are allowed. `out_of_range`: The number or the time is too small or too large. `too_long`: It has too many characters, items or bytes. `too_short`: It has too few characters or items. `too_deep`: The value is nested too deeply. `inconsistent`: It contradicts another part of the request, or the inventory as it is. `not_found`: It names something that does not exist, or that the caller cannot see. `duplicate`: The value must be unique, and is already used. `in_use`: Other resources still refer to it. `schema_violation`: The value violates the schema of a variable definition or of an audit. `version_mismatch`: The precondition does not hold: the current version is another one. `changed_later`: A later change altered it, so the change cannot be reverted. `read_only`: It is managed by another system, and cannot be changed here. `limit_exceeded`: It would exceed a limit of the service, of the project or of the request. `approval_required`: A rule of the project requires approvals; `field` names the rule. `missing_role`: The roles of the caller do not allow it; `role` names one that does.
     * @enum {string}
     */
    ErrorDetailCode:
      | 'required'
      | 'unknown_member'
      | 'unknown_parameter'
      | 'unsupported'
      | 'repeated'
      | 'invalid_type'
      | 'invalid_format'
      | 'invalid_value'
      | 'out_of_range'
      | 'too_long'
      | 'too_short'
      | 'too_deep'
      | 'inconsistent'
      | 'not_found'
      | 'duplicate'
      | 'in_use'
      | 'schema_violation'
      | 'version_mismatch'
      | 'changed_later'
      | 'read_only'
      | 'limit_exceeded'
      | 'approval_required'
      | 'missing_role';
    Expectation: {
      /** @description Filters on resolved variables. All of them must match. */
      vars?: string;
      /** @description Conditions on resolved variables, in the syntax of the parameter `where` of lists. All must hold. */
      where?: string[];
      /** @description The variable whose resolved value is validated against `schema`. */
      key?: string;
      /** @description The JSON Schema for the resolved value of `key`. A device on which the variable is not set fails. */
      schema?: components['schemas']['JsonSchema'];
      /** @description The value that a remediation sets, unless it follows from `vars`, `where` or `schema`. */
      value?: unknown;
    };
    Explanation: {
      value: unknown;
      /** @description The level that the value comes from. */
      source: components['schemas']['Level'];
      /** @description The levels that set the key, broadest first. */
      levels: components['schemas']['Level'][];
    };
    Explanations: {
      variables: {
        [key: string]: components['schemas']['Explanation'];
      };
    };
    FailingCell: {
      /** Format: int64 */
      id: number;
      /** @description The name of the cell at the time of the run. */
      name: string;
      region: components['schemas']['LocationName'];
      devices: number;
      failed: number;
    };
    FailingRegion: {
      /** Format: int64 */
      id: number;
      /** @description The name of the region at the time of the run. */
      name: string;
      devices: number;
      failed: number;
    };
    Failure: {
      kind: string;
      /** Format: int64 */
      id: number;
      name: string;
      /** @description The variable that does not meet the expectation. */
      key: string;
      /** @description The resolved value of the variable; absent if the variable is not set. */
      value?: unknown;
      /** @description The location of the violation in the value, as a JSON pointer; only for an expectation with a schema. */
      path?: string;
      /** @description The region, cell, label or device that sets the value; `null` if the variable is not set. */
      source: components['schemas']['FailureSource'] | null;
      message: string;
    };
    FailureSource: {
      /** @enum {string} */
      kind: 'region' | 'cell' | 'label' | 'host' | 'network-device';
      /** Format: int64 */
      id: number;
      name: string;
    };
    Feed: {
      /** @description The changes. A change always comes after the changes that it depends on. */
      changes: components['schemas']['FollowedChange'][];
      /** @description The position after these changes, for `after` in the next request. */
      cursor: string;
    };
    FollowedChange: {
      /** Format: uuid */
      project_id: string;
      actor: components['schemas']['Actor'];
      request_id: string;
      reason: string | null;
      /** @description Why an admin passed the rules for approvals: the header `X-Change-Override`. */
      override: string | null;
      /** @description `null` if the write was done without a proposal. */
      proposal: components['schemas']['AppliedProposal'] | null;
      /** @description The ids of the changes that it reverted, newest first. */
      reverts: number[];
      /** @description `null` in records from before impacts were counted. For callers who do not see all variables, also `null` in records from before a variable became private. */
      impact: components['schemas']['ImpactCount'] | null;
      /**
       * Format: int64
       * @description How many resources it touched that the caller may see.
       */
      objects_total: number;
      /** @description In the order in which they were touched: the first 1,000 in a single record, the first 100 in lists and in the feed. `/v1/changes/{id}/objects` lists all of them. */
      objects: components['schemas']['ChangedObject'][];
      /** Format: int64 */
      id: number;
      /** @description The ids of the changes that reverted it. A change whose revert was reverted has this revert, too. */
      reverted_by: number[];
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description The devices whose resolved variables the change altered. Only with `resolved=true`. */
      resolved?: components['schemas']['PastImpact'];
    };
    GivenApprovals: {
      required: number;
      given: number;
    };
    GroupDistribution: {
      /** @description The number of devices that match the filters. */
      devices: number;
      /** @description How many of them resolve the key to no value, or to a value without the `path`. */
      without: number;
      /** @description The number of different values, including those that are not in `values`. */
      distinct: number;
      /** @description The most frequent values, at most `limit`, the most frequent first. All values of a response together have at most 4 MiB; use `path` to count a part of large values. */
      values: components['schemas']['CountedValue'][];
      region?: components['schemas']['GroupReference'];
      cell?: components['schemas']['GroupReference'] | null;
      label?: components['schemas']['GroupReference'];
      /** @enum {string} */
      kind?: 'host' | 'network-device';
    };
    GroupReference: {
      /** Format: int64 */
      id: number;
      name: string;
    };
    GroupedImpact: {
      /**
       * Format: int64
       * @description How many devices get a different resolved value of some variable. The number is exact.
       */
      devices: number;
      /** @description The keys of these variables, sorted. */
      keys: string[];
      /** @description The changes of values, those of the most devices first: up to 100. */
      groups: components['schemas']['ImpactGroup'][];
      /** @description The number of all groups. At most 10,000 are counted: the first ones that are found. */
      groups_total: number;
      /** @description A page of the devices, sorted by id. */
      items: components['schemas']['PreviewedDevice'][];
      /** @description `self`, and `first` and `next` if these pages exist. */
      links: components['schemas']['Link'][];
    };
    Host: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique among the devices of the project. */
      name: string;
      /** Format: int64 */
      region_id: number;
      /** Format: int64 */
      cell_id: number | null;
      /** Format: int64 */
      parent_id: number | null;
      /** @description The IP address on the control plane. */
      ip_address: string;
      device_type: string;
      active: boolean;
      /** @description Names joined by `,`, sorted by code point. */
      labels: string;
      note: string | null;
      /** Format: int64 */
      access_secret_id: number | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables: components['schemas']['VariableMap'];
      /** @description The link `up` leads to the parent device; without a parent to the cell, and without a cell to the region. */
      links: components['schemas']['Link'][];
      /** @description The origin of the variables that the query parameter `explain` names. Absent without that parameter. */
      explain?: {
        [key: string]: components['schemas']['Explanation'];
      };
    };
    HostLine: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: components['schemas']['LabelNames'];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: components['schemas']['VariableMap'];
      active?: boolean;
      /** @description Unique among the devices of the project. */
      name?: string;
      ip_address?: string;
      device_type?: string;
      /** @enum {string} */
      kind: 'host';
      /** @description The keys of variables to remove. Keys that are not set are no error. */
      unset_variables?: string[];
      /** @description Whether a number of `variables` leaves an equal one as it is, with the zeros at the end of its fraction: 6.1 does not replace 6.10. Records of tables do. */
      keep_equal_numbers?: boolean;
      /** @description The line is imported only if the resource exists and has this version. */
      if_version?: number;
      /** @description The line is imported only if the resource exists and has this id: names can be given away. */
      if_id?: number;
      /** @description The name of the device's region. */
      region?: string;
      /** @description The name of the device's cell. The cell belongs to the region of the device. */
      cell?: string | null;
      /** @description The name of the parent device. Unique in the project. */
      parent?: string | null;
    };
    HostList: components['schemas']['Host'][];
    HostListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description Unique among the devices of the project. */
      name?: string;
      /** Format: int64 */
      region_id?: number;
      /** Format: int64 */
      cell_id?: number | null;
      /** Format: int64 */
      parent_id?: number | null;
      /** @description The IP address on the control plane. */
      ip_address?: string;
      device_type?: string;
      active?: boolean;
      /** @description Names joined by `,`, sorted by code point. */
      labels?: string;
      note?: string | null;
      /** Format: int64 */
      access_secret_id?: number | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables?: components['schemas']['VariableMap'];
      /** @description The link `up` leads to the parent device; without a parent to the cell, and without a cell to the region. */
      links?: components['schemas']['Link'][];
      /** @description The origin of the variables that the query parameter `explain` names. Absent without that parameter. */
      explain?: {
        [key: string]: components['schemas']['Explanation'];
      };
    };
    HostOrPreview: components['schemas']['Host'] | components['schemas']['Preview'];
    HostPage: {
      items: components['schemas']['HostListItem'][];
      links: components['schemas']['Link'][];
    };
    HostsOrPreview:
      | components['schemas']['Host']
      | components['schemas']['HostList']
      | components['schemas']['Preview'];
    ImpactCount: {
      /**
       * Format: int64
       * @description How many devices got a different resolved value of some variable.
       */
      devices: number;
    };
    ImpactDifference: {
      /**
       * Format: int64
       * @description How many devices would change now.
       */
      devices: number;
      /** @description How many devices would change now and would not have when it was approved. */
      came: number;
      /** @description How many would not change any more. */
      went: number;
      /** @description How many would change in another way. */
      other: number;
      /** @description Up to 100 of these devices. */
      items: components['schemas']['DifferentDevice'][];
      /** @description Up to 100 members and variables that would be written differently. */
      resources: components['schemas']['DifferentValue'][];
    };
    ImpactGroup: {
      /** @description Absent where it is not set. */
      before?: unknown;
      /** @description Absent where it is not set. */
      after?: unknown;
      /** @description Identifies the variable with both values: the same in every response. */
      id: string;
      key: string;
      /**
       * Format: int64
       * @description How many devices it changes on.
       */
      devices: number;
      /**
       * Format: int64
       * @description How many devices do not get the value, because a narrower level overrides it. In a preview, 0 if several levels change at once and one is a label.
       */
      overriding: number;
      /** @description The regions with the most of these devices: up to 20. */
      regions: components['schemas']['RegionCount'][];
      /** @description The number of all regions with such devices. */
      regions_total: number;
    };
    ImpliedRemediation: {
      key: string;
      /** @description The value that a remediation sets without one of its own; absent if it needs one. */
      value?: unknown;
    };
    ImportError: {
      /** @description The line number in the body. The first line is 1. */
      line: number;
      /** @enum {string} */
      code:
        | 'invalid_request'
        | 'unauthenticated'
        | 'forbidden'
        | 'approval_required'
        | 'not_found'
        | 'validation_exception'
        | 'method_not_allowed'
        | 'not_acceptable'
        | 'conflict'
        | 'revision_changed'
        | 'impact_changed'
        | 'approval_missing'
        | 'version_mismatch'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'too_many_requests'
        | 'internal_error'
        | 'unavailable';
      message: string;
      /** @description The regions and cells that the line names and that do not exist, as lines of an import that creates them. Absent if the line names a cell without its region, if an unreadable line may create them, and in the lines of a response. */
      missing?: components['schemas']['ImportMissingLocation'][];
      /** @description The variables that must be texts by their definitions, but are not in this line. Only in `errors` of a summary. */
      expected_texts?: string[];
    };
    ImportMissingLocation: {
      /** @enum {string} */
      kind: 'region' | 'cell';
      /** @description That of a cell. */
      region?: string;
      name: string;
    };
    ImportPreview: {
      /** @description Tells a preview from other responses. */
      dry_run: boolean;
      /** @description The number of lines that created a resource. */
      created: number;
      /** @description The number of lines that updated a resource. */
      updated: number;
      /** @description The number of lines that changed nothing. */
      unchanged: number;
      /** @description The number of lines that were not imported. */
      failed: number;
      /** @description The first 1000 errors, sorted by line. */
      errors: components['schemas']['ImportError'][];
      /** @description For tables: the number of empty cells in columns of members and variables that existing devices have. They change nothing. */
      ignored_empty_cells?: number;
      /** @description For tables: how many variables change from a text to a number or boolean, or the other way round, or from a list or object to one of these, or are numbers that lose digits. */
      type_changes_total?: number;
      /** @description For tables: the first 100 of these variables, sorted by line. */
      type_changes?: components['schemas']['ImportTypeChange'][];
      /** @description For tables: the first 100 columns of variables with values of another type than elsewhere, on devices that did not set the variable. A text is unusual if the project has values, but no texts. Otherwise a number or boolean is unusual if the column or the project has texts (`6.8` and `6.10`). A text that begins like a list or object, but is not JSON, has an entry of its own, also on devices with another value. */
      unusual_types?: components['schemas']['ImportUnusualType'][];
      /** @description For tables: the first 100 columns of variables that no resource sets, whose keys are easily mistaken for another one. */
      similar_keys?: components['schemas']['ImportSimilarKey'][];
      /** @description How many of the devices of `impact` exist already. The import creates the others. */
      existing_devices: number;
      impact: components['schemas']['PreviewedImpact'];
      approval_required?: components['schemas']['RequiredApproval'];
      reason_rejected?: components['schemas']['RejectedReason'];
    };
    ImportResult: components['schemas']['ImportSummary'] | components['schemas']['ImportPreview'];
    ImportSimilarKey: {
      /** @description The key of the new variable. */
      key: string;
      /** @description A key that resources set, or that of another column. */
      similar_to: string;
    };
    ImportSummary: {
      /** @description The number of lines that created a resource. */
      created: number;
      /** @description The number of lines that updated a resource. */
      updated: number;
      /** @description The number of lines that changed nothing. */
      unchanged: number;
      /** @description The number of lines that were not imported. */
      failed: number;
      /** @description The first 1000 errors, sorted by line. */
      errors: components['schemas']['ImportError'][];
      /** @description For tables: the number of empty cells in columns of members and variables that existing devices have. They change nothing. */
      ignored_empty_cells?: number;
      /** @description For tables: how many variables change from a text to a number or boolean, or the other way round, or from a list or object to one of these, or are numbers that lose digits. */
      type_changes_total?: number;
      /** @description For tables: the first 100 of these variables, sorted by line. */
      type_changes?: components['schemas']['ImportTypeChange'][];
      /** @description For tables: the first 100 columns of variables with values of another type than elsewhere, on devices that did not set the variable. A text is unusual if the project has values, but no texts. Otherwise a number or boolean is unusual if the column or the project has texts (`6.8` and `6.10`). A text that begins like a list or object, but is not JSON, has an entry of its own, also on devices with another value. */
      unusual_types?: components['schemas']['ImportUnusualType'][];
      /** @description For tables: the first 100 columns of variables that no resource sets, whose keys are easily mistaken for another one. */
      similar_keys?: components['schemas']['ImportSimilarKey'][];
    };
    ImportTypeChange: {
      /** @description The line of the table in which the record starts. The first line is 1. */
      line: number;
      /** @description The name of the device. */
      name: string;
      /** @description The key of the variable. */
      key: string;
      /**
       * @description A JSON type.
       * @enum {string}
       */
      before: 'string' | 'number' | 'boolean' | 'array' | 'object';
      /**
       * @description `number` for a number that loses digits, too.
       * @enum {string}
       */
      after: 'string' | 'number' | 'boolean';
    };
    /** @description The other values of the column on such devices. Absent if only resources of the project have some. */
    ImportTypeSample: {
      /** @description The line of the first record with such a value. */
      line: number;
      /** @description That value, of which at most 100 characters. */
      cell: string;
      /**
       * @description A JSON type.
       * @enum {string}
       */
      type: 'string' | 'number' | 'boolean';
      /** @description The number of such values: of texts, or of numbers and booleans. */
      count: number;
    };
    ImportUnusualType: {
      /** @description The key of the variable. */
      key: string;
      /** @description The line of the first record with such a value. */
      line: number;
      /** @description That value, of which at most 100 characters. */
      cell: string;
      /**
       * @description A JSON type.
       * @enum {string}
       */
      type: 'string' | 'number' | 'boolean';
      /** @description The number of such values: of texts, or of numbers and booleans. */
      count: number;
      /**
       * @description Why texts are unusual, if not because of numbers or booleans: they begin like lists or objects, but are not JSON; or the project has lists or objects.
       * @enum {string}
       */
      reason?: 'invalid_json' | 'arrays_or_objects_elsewhere';
      others?: components['schemas']['ImportTypeSample'];
    };
    /** @description A JSON Schema: an object, or `true` for any value and `false` for none. */
    JsonSchema:
      | {
          [key: string]: unknown;
        }
      | boolean;
    Label: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description The name. `key:value` is a convention, not a rule. */
      label: string;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables: components['schemas']['VariableMap'];
    };
    LabelLine: {
      /** @description Keys and values to set. Other variables do not change. */
      variables?: components['schemas']['VariableMap'];
      label?: string;
      /** @enum {string} */
      kind: 'label';
      /** @description The keys of variables to remove. Keys that are not set are no error. */
      unset_variables?: string[];
      /** @description Whether a number of `variables` leaves an equal one as it is, with the zeros at the end of its fraction: 6.1 does not replace 6.10. Records of tables do. */
      keep_equal_numbers?: boolean;
      /** @description The line is imported only if the resource exists and has this version. */
      if_version?: number;
      /** @description The line is imported only if the resource exists and has this id: names can be given away. */
      if_id?: number;
    };
    LabelList: components['schemas']['Label'][];
    LabelListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description The name. `key:value` is a convention, not a rule. */
      label?: string;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables?: components['schemas']['VariableMap'];
    };
    /** @description Names of labels: an array, or a text of names that are separated by `,`. */
    LabelNames: string | string[];
    LabelOrPreview: components['schemas']['Label'] | components['schemas']['Preview'];
    LabelPage: {
      items: components['schemas']['LabelListItem'][];
      links: components['schemas']['Link'][];
    };
    LabelSet: {
      labels: string[];
    };
    LabelSetOrPreview: components['schemas']['LabelSet'] | components['schemas']['Preview'];
    LabelsOrPreview:
      | components['schemas']['Label']
      | components['schemas']['LabelList']
      | components['schemas']['Preview'];
    Level: {
      /** @description The username at the time of the change. `null`, as `reason` and `change_id`, for callers who cannot read change records. */
      set_by: string | null;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      set_at: string;
      reason: string | null;
      /**
       * Format: int64
       * @description The id of the change that set it.
       */
      change_id: number | null;
      /** @description `region`, `cell`, `label`, or the kind of the device. */
      kind: string;
      /** Format: int64 */
      id: number;
      name: string;
      value: unknown;
      /** @description Whether a narrower level overrides it. */
      shadowed: boolean;
    };
    LevelReference: {
      /** @enum {string} */
      kind: 'region' | 'cell' | 'label' | 'host' | 'network-device';
      /** Format: int64 */
      id: number;
    };
    Link: {
      /** Format: uri */
      href: string;
      rel: string;
    };
    LocationName: {
      /** Format: int64 */
      id: number;
      /** @description The name of the region at the time of the run. */
      name: string;
    };
    NetImpact: {
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      since: string;
      /** @description `null`: now. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      until: string | null;
      /** @description The changes that the list has for this period. */
      changes: number;
      /**
       * Format: int64
       * @description How many devices have another resolved value of some variable at the second moment.
       */
      devices: number;
      /** @description The changes of values, those of the most devices first: up to 100. */
      groups: components['schemas']['ImpactGroup'][];
      /** @description The number of all groups. At most 10,000 are counted: the first ones that are found. */
      groups_total: number;
    };
    NetworkDevice: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique among the devices of the project. */
      name: string;
      /** Format: int64 */
      region_id: number;
      /** Format: int64 */
      cell_id: number | null;
      /** Format: int64 */
      parent_id: number | null;
      /** @description The IP address on the control plane. */
      ip_address: string;
      device_type: string;
      active: boolean;
      /** @description Names joined by `,`, sorted by code point. */
      labels: string;
      note: string | null;
      /** Format: int64 */
      access_secret_id: number | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables: components['schemas']['VariableMap'];
      /** @description The link `up` leads to the parent device; without a parent to the cell, and without a cell to the region. */
      links: components['schemas']['Link'][];
      /** @description The origin of the variables that the query parameter `explain` names. Absent without that parameter. */
      explain?: {
        [key: string]: components['schemas']['Explanation'];
      };
      model_name: string | null;
      os_version: string | null;
      /** @description Any JSON value, or `null`. */
      vlans: unknown;
    };
    NetworkDeviceLine: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: components['schemas']['LabelNames'];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: components['schemas']['VariableMap'];
      active?: boolean;
      /** @description Unique among the devices of the project. */
      name?: string;
      ip_address?: string;
      device_type?: string;
      /** @description The model. */
      model_name?: string | null;
      /** @description The version of the operating system. */
      os_version?: string | null;
      /** @description Any JSON value, or `null`. */
      vlans?: unknown;
      /** @enum {string} */
      kind: 'network-device';
      /** @description The keys of variables to remove. Keys that are not set are no error. */
      unset_variables?: string[];
      /** @description Whether a number of `variables` leaves an equal one as it is, with the zeros at the end of its fraction: 6.1 does not replace 6.10. Records of tables do. */
      keep_equal_numbers?: boolean;
      /** @description The line is imported only if the resource exists and has this version. */
      if_version?: number;
      /** @description The line is imported only if the resource exists and has this id: names can be given away. */
      if_id?: number;
      /** @description The name of the device's region. */
      region?: string;
      /** @description The name of the device's cell. The cell belongs to the region of the device. */
      cell?: string | null;
      /** @description The name of the parent device. Unique in the project. */
      parent?: string | null;
    };
    NetworkDeviceList: components['schemas']['NetworkDevice'][];
    NetworkDeviceListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description Unique among the devices of the project. */
      name?: string;
      /** Format: int64 */
      region_id?: number;
      /** Format: int64 */
      cell_id?: number | null;
      /** Format: int64 */
      parent_id?: number | null;
      /** @description The IP address on the control plane. */
      ip_address?: string;
      device_type?: string;
      active?: boolean;
      /** @description Names joined by `,`, sorted by code point. */
      labels?: string;
      note?: string | null;
      /** Format: int64 */
      access_secret_id?: number | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables?: components['schemas']['VariableMap'];
      /** @description The link `up` leads to the parent device; without a parent to the cell, and without a cell to the region. */
      links?: components['schemas']['Link'][];
      /** @description The origin of the variables that the query parameter `explain` names. Absent without that parameter. */
      explain?: {
        [key: string]: components['schemas']['Explanation'];
      };
      model_name?: string | null;
      os_version?: string | null;
      /** @description Any JSON value, or `null`. */
      vlans?: unknown;
    };
    NetworkDeviceOrPreview: components['schemas']['NetworkDevice'] | components['schemas']['Preview'];
    NetworkDevicePage: {
      items: components['schemas']['NetworkDeviceListItem'][];
      links: components['schemas']['Link'][];
    };
    NetworkDevicesOrPreview:
      | components['schemas']['NetworkDevice']
      | components['schemas']['NetworkDeviceList']
      | components['schemas']['Preview'];
    NewApiKeyBody: {
      /** @description When the key expires, in UTC or with an offset such as `+01:00`; a date alone is midnight. If omitted or `null`, the key never expires; for a caller who is not an admin, it expires with the API key of the request. A later time is rejected with `400`. */
      expires_at?: string | null;
      /** @description What the key is for. The list of keys shows it. */
      note?: string | null;
    };
    NewComment: {
      text: string;
    };
    NewReview: {
      /** @enum {string} */
      verdict: 'approve' | 'reject';
      /** @description The revision that is reviewed. */
      revision: number;
      /** @description That of the preview. An approval needs it. */
      impact_digest?: string | null;
      note?: string | null;
    };
    OidcClient: {
      issuer: string;
      /** @description The client of programs on the machine of a user. */
      client_id: string;
      scope: string;
    };
    OpenAccessSecret: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description The current content. Only this response contains it; change records do not, so it is absent with `at`. */
      cert?: string;
    };
    OperationResult: {
      /** @description The id of the operation. */
      id: string | null;
      /** @description The status that the write has alone. */
      status: number;
      /** @description The entity tag after the operation; `null` without one. */
      etag: string | null;
      /** @description The body that the response to the write has alone; `null` without a body. */
      body: unknown;
    };
    OwnSaved: {
      /** @description Unique among the views of the user. */
      name: string;
      /** @description The page of the explorer with its filters, columns and order: the path and the query of its URL, without the project. */
      address: string;
    };
    OwnViews: {
      /** @description In the order in which they are shown. The body that contains them has at most 64 KiB. */
      views: components['schemas']['OwnSaved'][];
    };
    PastImpact: {
      /** @description A page of the devices whose resolved variables the change altered, ordered by id. */
      items: components['schemas']['AffectedDevice'][];
      /** @description `next`, if there can be more devices. A page can be short or empty before the last one. */
      links: components['schemas']['Link'][];
    };
    PastImpactGroups: {
      /**
       * Format: int64
       * @description How many devices got another resolved value of some variable, of those that were looked at.
       */
      devices: number;
      /** @description Whether all devices were looked at. Of a change that can have affected more than about 50,000, only the first are, and of one that takes longer than 30 seconds. */
      complete: boolean;
      /** @description The changes of values, those of the most devices first: up to 100. */
      groups: components['schemas']['ImpactGroup'][];
      /** @description The number of all groups. At most 10,000 are counted: the first ones that are found. */
      groups_total: number;
    };
    PastRun: {
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description Who ran it; `null` if the settings of the project hide other users from the caller. */
      username: string | null;
      /** @description The number of devices that the audit targeted. */
      devices: number;
      failed: number;
      /** @description The regions with failing devices, the most first; at most 20. */
      regions: components['schemas']['FailingRegion'][];
      /** @description The cells with failing devices, the most first; at most 20. */
      cells: components['schemas']['FailingCell'][];
    };
    PastRuns: {
      /** @description The latest first. */
      items: components['schemas']['PastRun'][];
    };
    Place: {
      /** Format: int64 */
      id: number;
      name: string;
    };
    Preview: {
      /** @description Tells a preview from other responses. */
      dry_run: boolean;
      /** @description The record that the change would store. */
      change: components['schemas']['TriedChange'];
      impact: components['schemas']['PreviewedImpact'];
      /** @description Set if the write meets a rule of the project (`approvals`): without the dry run, it is rejected with `403`. */
      approval_required?: components['schemas']['RequiredApproval'];
      /** @description Set if the project does not accept the reason (`change_reason`): without the dry run, the write is rejected with `400`. */
      reason_rejected?: components['schemas']['RejectedReason'];
    };
    PreviewedApprovals: {
      /** @description How many approvals it needs now. */
      required: number;
      /** @description How many count now, for this impact. */
      given: number;
      /** @description The ids of the reviews that approved the revision with another impact. */
      stale: number[];
    };
    PreviewedDevice: {
      kind: string;
      /** Format: int64 */
      id: number;
      name: string;
      /** @description Both sides of every resolved variable that changes; a side is absent where the key is not set. */
      changes: components['schemas']['VariableChanges'];
      /** @description True if the write creates the device: no device has this id yet. */
      created?: boolean;
    };
    PreviewedImpact: {
      /**
       * Format: int64
       * @description How many devices get a different resolved value of some variable. The number is exact.
       */
      devices: number;
      /** @description The keys of these variables, sorted. */
      keys: string[];
      /** @description The changes of values, those of the most devices first: up to 100. Only on the first page. */
      groups?: components['schemas']['ImpactGroup'][];
      /** @description The number of all groups. At most 10,000 are counted: the first ones that are found. */
      groups_total?: number;
      /** @description A page of the devices, sorted by id. */
      items: components['schemas']['PreviewedDevice'][];
      /** @description `self`, and `first` and `next` if these pages exist. */
      links: components['schemas']['Link'][];
    };
    Project: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description Unique in the deployment. */
      name: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      version: number;
    };
    ProjectListItem: {
      /** Format: uuid */
      id?: string;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description Unique in the deployment. */
      name?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      version?: number;
    };
    ProjectOrPreview: components['schemas']['Project'] | components['schemas']['Preview'];
    ProjectPage: {
      items: components['schemas']['ProjectListItem'][];
      links: components['schemas']['Link'][];
    };
    ProjectSettings: {
      /** Format: uuid */
      project_id: string;
      /** @description `null`: no reason is required. */
      change_reason: components['schemas']['ChangeReason'] | null;
      /** @description The keys that are hidden from callers without a role for them: a key, or a prefix followed by `*`. */
      private: string[];
      /** @description Whether a device cannot get an address that another device of the project has. */
      unique_addresses: boolean;
      /** @description Whether users without roles see no other users and no change records, and create no API keys. */
      restricts_readers: boolean;
      /** @description Which writes need approvals. A write meets a rule if it fulfils all that the rule names. */
      approvals: components['schemas']['ApprovalRule'][];
      /** @description `null` until they are set for the first time. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string | null;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description 0 until they are set for the first time. */
      version: number;
    };
    ProjectSettingsOrPreview: components['schemas']['ProjectSettings'] | components['schemas']['Preview'];
    Proposal: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      title: string;
      description: string | null;
      /** @enum {string} */
      state: 'open' | 'approved' | 'applied' | 'rejected' | 'withdrawn';
      /** @description The number of its present revision. */
      revision: number;
      /** @description The reason of the change, when it is applied. */
      reason: string | null;
      author: components['schemas']['Actor'];
      /** @description The resources that it writes: up to 100, one of each kind first. */
      resources: components['schemas']['ProposedResource'][];
      /** @description The variables that it writes, and private ones that it names. Callers who do not see all of them do not see the proposal. */
      keys: string[];
      /** @description The number of its operations. */
      operations_total: number;
      approvals: components['schemas']['ApprovalCounts'];
      /** @description The number of comments. */
      comments_total: number;
      /**
       * Format: int64
       * @description The id of the change that applied it; `null` before.
       */
      change_id: number | null;
    };
    ProposalComment: {
      /** Format: int64 */
      id: number;
      author: components['schemas']['Actor'];
      text: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
    };
    ProposalCommentListItem: {
      /** Format: int64 */
      id?: number;
      author?: components['schemas']['Actor'];
      text?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
    };
    ProposalCommentOrPreview: components['schemas']['ProposalComment'] | components['schemas']['Preview'];
    ProposalCommentPage: {
      items: components['schemas']['ProposalCommentListItem'][];
      links: components['schemas']['Link'][];
    };
    ProposalConflict: {
      /** @description The first operation that writes the resource, counted from 0. */
      operation: number;
      kind: string;
      /** Format: int64 */
      resource_id: number;
      name: string;
      /** @description A member, or `variables.` and a key. */
      field: string;
      /** @description The value when the revision was made; absent if it was not set. */
      then?: unknown;
      /** @description The value now; absent if it is not set. */
      now?: unknown;
      /** @description The value that the proposal sets; absent if it removes it. */
      proposed?: unknown;
    };
    ProposalDetails: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      title: string;
      description: string | null;
      /** @enum {string} */
      state: 'open' | 'approved' | 'applied' | 'rejected' | 'withdrawn';
      /** @description The number of its present revision. */
      revision: number;
      /** @description The reason of the change, when it is applied. */
      reason: string | null;
      author: components['schemas']['Actor'];
      /** @description The resources that it writes: up to 100, one of each kind first. */
      resources: components['schemas']['ProposedResource'][];
      /** @description The variables that it writes, and private ones that it names. Callers who do not see all of them do not see the proposal. */
      keys: string[];
      /** @description The number of its operations. */
      operations_total: number;
      approvals: components['schemas']['ApprovalCounts'];
      /** @description The number of comments. */
      comments_total: number;
      /**
       * Format: int64
       * @description The id of the change that applied it; `null` before.
       */
      change_id: number | null;
      /** @description The operations of the present revision. */
      operations: components['schemas']['ProposedOperation'][];
      /** @description The reviews, oldest first. */
      reviews: components['schemas']['ProposalReview'][];
    };
    ProposalDetailsOrPreview: components['schemas']['ProposalDetails'] | components['schemas']['Preview'];
    ProposalError: {
      /**
       * @description A stable code for programs.
       * @enum {string}
       */
      code:
        | 'invalid_request'
        | 'unauthenticated'
        | 'forbidden'
        | 'approval_required'
        | 'not_found'
        | 'validation_exception'
        | 'method_not_allowed'
        | 'not_acceptable'
        | 'conflict'
        | 'revision_changed'
        | 'impact_changed'
        | 'approval_missing'
        | 'version_mismatch'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'too_many_requests'
        | 'internal_error'
        | 'unavailable';
      message: string;
      details: components['schemas']['ErrorDetail'][];
      /** @description Identifies the request in the log. */
      request_id: string;
      /**
       * @description The state of a proposal that is applied, withdrawn or rejected.
       * @enum {string}
       */
      state?: 'open' | 'approved' | 'applied' | 'rejected' | 'withdrawn';
      /** @description Of `revision_changed`: the present revision. */
      revision?: number;
      /** @description Of `approval_missing`. */
      approvals?: components['schemas']['GivenApprovals'];
      /** @description Of `impact_changed`, when it is applied: what is different now. `null` in other responses, and if the approved impact was too large to be kept. */
      now?: components['schemas']['ImpactDifference'] | null;
    };
    ProposalListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      title?: string;
      description?: string | null;
      /** @enum {string} */
      state?: 'open' | 'approved' | 'applied' | 'rejected' | 'withdrawn';
      /** @description The number of its present revision. */
      revision?: number;
      /** @description The reason of the change, when it is applied. */
      reason?: string | null;
      author?: components['schemas']['Actor'];
      /** @description The resources that it writes: up to 100, one of each kind first. */
      resources?: components['schemas']['ProposedResource'][];
      /** @description The variables that it writes, and private ones that it names. Callers who do not see all of them do not see the proposal. */
      keys?: string[];
      /** @description The number of its operations. */
      operations_total?: number;
      approvals?: components['schemas']['ApprovalCounts'];
      /** @description The number of comments. */
      comments_total?: number;
      /**
       * Format: int64
       * @description The id of the change that applied it; `null` before.
       */
      change_id?: number | null;
    };
    ProposalPage: {
      items: components['schemas']['ProposalListItem'][];
      links: components['schemas']['Link'][];
    };
    ProposalPreview: {
      revision: number;
      /** @description Identifies the impact as the caller sees it, for a review; `null` if it cannot be applied. */
      impact_digest: string | null;
      /** @description Whether its operations can be done now, without conflicts. */
      applicable: boolean;
      /** @description Why it cannot be applied. */
      problems: components['schemas']['ProposalProblem'][];
      /** @description `null` if an operation fails. */
      change: components['schemas']['TriedChange'] | null;
      /** @description `null` if an operation fails. */
      impact: components['schemas']['GroupedImpact'] | null;
      /** @description What it writes and others have changed since the revision was made. */
      conflicts: components['schemas']['ProposalConflict'][];
      approvals: components['schemas']['PreviewedApprovals'];
      may: components['schemas']['ProposalRights'];
    };
    ProposalProblem: {
      /** @description The operation that fails, counted from 0; `null` if none of them alone does. */
      operation: number | null;
      /** @description The status that the operation has alone. */
      status: number;
      code: string;
      message: string;
      field?: string;
    };
    ProposalReview: {
      /** Format: int64 */
      id: number;
      reviewer: components['schemas']['Actor'];
      /** @enum {string} */
      verdict: 'approve' | 'reject';
      /** @description The revision that was reviewed. */
      revision: number;
      /** @description The digest of the impact that the reviewer saw; `null` for rejections, and for callers who do not see all variables. */
      impact_digest: string | null;
      note: string | null;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description Whether it is the latest review of this user for the present revision, and the user still has the roles of that time. Whether its digest is the present one is only known by a preview. */
      counts: boolean;
    };
    ProposalRevision: {
      revision: number;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      operations_total: number;
    };
    ProposalRevisionDetails: {
      revision: number;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      operations_total: number;
      operations: components['schemas']['ProposedOperation'][];
    };
    ProposalRights: {
      /** @description Whether the caller can approve it now. */
      approve: boolean;
      /** @description Whether the caller can apply it now. */
      apply: boolean;
      /** @description Why not. */
      missing: string[];
    };
    ProposalUser: {
      /**
       * Format: int64
       * @description `null` if the user was deleted before.
       */
      id: number | null;
      username: string;
    };
    ProposedOperation: {
      /** @description Its name, if it has one. */
      id?: string | null;
      /** @enum {string} */
      method: 'POST' | 'PUT' | 'DELETE';
      /** @description `null` if the operation is hidden. */
      path: string | null;
      /** @description Its body. */
      body?: unknown;
      /** @description Its `If-Match`. */
      if_match?: string;
      /** @description Its `If-None-Match`. */
      if_none_match?: string;
      /** @description Set if it names a variable that is hidden from the caller: `path` and `body` are left out then. */
      hidden?: boolean;
    };
    ProposedResource: {
      kind: string;
      /**
       * Format: int64
       * @description `null` for resources that it creates, and for the settings of the project.
       */
      id: number | null;
      /** @description Its name when the revision was made. `null` for audits, whose names not everybody sees. */
      name: string | null;
    };
    Readiness: {
      /**
       * @description `degraded`: requests for some projects cannot be handled.
       * @enum {string}
       */
      status: 'ok' | 'degraded';
      /** @description What is degraded. */
      message?: string;
    };
    Region: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      name: string;
      /** Format: int64 */
      cloud_id: number | null;
      /** @description A summary of the region's cells, sorted by name. */
      cells: components['schemas']['RegionCell'][];
      /** @description Names joined by `,`, sorted by code point. */
      labels: string;
      note: string | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables: components['schemas']['VariableMap'];
    };
    RegionCell: {
      /** Format: int64 */
      id: number;
      name: string;
    };
    RegionCount: {
      /** Format: int64 */
      id: number;
      /** Format: int64 */
      devices: number;
    };
    RegionLine: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: components['schemas']['LabelNames'];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: components['schemas']['VariableMap'];
      /** @description Unique in the project. */
      name?: string;
      /** @enum {string} */
      kind: 'region';
      /** @description The keys of variables to remove. Keys that are not set are no error. */
      unset_variables?: string[];
      /** @description Whether a number of `variables` leaves an equal one as it is, with the zeros at the end of its fraction: 6.1 does not replace 6.10. Records of tables do. */
      keep_equal_numbers?: boolean;
      /** @description The line is imported only if the resource exists and has this version. */
      if_version?: number;
      /** @description The line is imported only if the resource exists and has this id: names can be given away. */
      if_id?: number;
      /** @description The name of the cloud of the region. */
      cloud?: string | null;
    };
    RegionList: components['schemas']['Region'][];
    RegionListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description Unique in the project. */
      name?: string;
      /** Format: int64 */
      cloud_id?: number | null;
      /** @description A summary of the region's cells, sorted by name. */
      cells?: components['schemas']['RegionCell'][];
      /** @description Names joined by `,`, sorted by code point. */
      labels?: string;
      note?: string | null;
      /** @description The resolved variables; with `resolved-values=false`, the own variables. */
      variables?: components['schemas']['VariableMap'];
    };
    RegionOrPreview: components['schemas']['Region'] | components['schemas']['Preview'];
    RegionPage: {
      items: components['schemas']['RegionListItem'][];
      links: components['schemas']['Link'][];
    };
    RegionsOrPreview:
      | components['schemas']['Region']
      | components['schemas']['RegionList']
      | components['schemas']['Preview'];
    RejectedReason: {
      /** @enum {string} */
      code: 'required' | 'invalid_format';
      message: string;
    };
    Remediation: {
      /** @description The resource on which the value is set. */
      level: components['schemas']['LevelReference'];
      /** @description The value to set. Defaults to the value that the audit expects. */
      value?: unknown;
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
    };
    RequiredApproval: {
      message: string;
      /** @description The first rule that it meets, in words. */
      description: string;
      /** @description The first rule that it meets: its position in the setting `approvals`, counted from 0. */
      rule: number;
      /** @description How many approvals the rules that it meets require. */
      approvals: number;
    };
    ResolvedChange: {
      /**
       * Format: int64
       * @description The id of the change.
       */
      id: number;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      actor: components['schemas']['Actor'];
      reason: string | null;
      /** @description What the change wrote of the device and of the levels that it has after the change. */
      objects: components['schemas']['ChangedLevel'][];
      /** @description Both sides of each resolved variable that changed, a side absent where the key is not set, and the level that the value comes from; of a variable that is no longer set, the level that it came from. */
      changes: components['schemas']['ResolvedVariableChanges'];
    };
    ResolvedChanges: {
      /** @description The newest first. */
      items: components['schemas']['ResolvedChange'][];
      /** @description `next`, if there can be older changes. A page can be short or empty before the last one. */
      links: components['schemas']['Link'][];
    };
    /** @description For each key an object with the values `before` and `after`, and the `level` (`kind`, `id` and `name`) of the value; a side is absent where the key is not set. */
    ResolvedVariableChanges: {
      [key: string]: unknown;
    };
    /** @description An integer; for a project, a UUID. */
    ResourceId: number | string;
    /** @description The members of a resource, without variables. */
    ResourceMembers: {
      [key: string]: unknown;
    };
    RevertChange: {
      /** @description The ids of further changes of the same project. All are reverted by one new change, newest first, so that a change is no conflict for an older one. */
      additional_ids?: number[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
    };
    RunAudit: {
      /** Format: int64 */
      id: number;
      name: string;
    };
    SaltPillar: {
      [key: string]: unknown;
    };
    SavedView: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      name: string;
      description: string | null;
      /** @description The page of the explorer with its filters, columns and order: the path and the query of its URL, without the project. */
      address: string;
    };
    SavedViewList: components['schemas']['SavedView'][];
    SavedViewListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description Unique in the project. */
      name?: string;
      description?: string | null;
      /** @description The page of the explorer with its filters, columns and order: the path and the query of its URL, without the project. */
      address?: string;
    };
    SavedViewOrPreview: components['schemas']['SavedView'] | components['schemas']['Preview'];
    SavedViewPage: {
      items: components['schemas']['SavedViewListItem'][];
      links: components['schemas']['Link'][];
    };
    SavedViewsOrPreview:
      | components['schemas']['SavedView']
      | components['schemas']['SavedViewList']
      | components['schemas']['Preview'];
    SearchHit: {
      /** @enum {string} */
      kind:
        | 'project'
        | 'region'
        | 'cell'
        | 'label'
        | 'host'
        | 'network-device'
        | 'cloud'
        | 'user'
        | 'audit'
        | 'view'
        | 'variable-definition'
        | 'access-secret'
        | 'variable-key'
        | 'change';
      /** @description A UUID for a project. `null` for the key of a variable. */
      id: components['schemas']['ResourceId'] | null;
      /** @description The name, the label, the username or the key; of a change, the reason, or else the number. */
      name: string;
      /** @description The region of a cell or a device; `null` for other kinds. */
      region: components['schemas']['Place'] | null;
      /** @description The cell of a device, if any. */
      cell: components['schemas']['Place'] | null;
      /**
       * @description How the text matches: the whole member, its beginning, a network that contains the address, the value of a variable or a part of it, or a part of a name, a value or a reason.
       * @enum {string}
       */
      match: 'exact' | 'prefix' | 'network' | 'value' | 'substring';
      /** @description The member that matches; `variables` for a value. */
      member: string;
      /** @description The key of the variable, if its value matches. */
      key: string | null;
      /** @description What matches, if the name does not show it: an address, or the value of a variable, at most 200 characters. */
      matched: string | null;
      /** @description The URL of the resource. */
      href: string;
    };
    SearchResult: {
      /** @description The best hits first, at most `limit`. */
      hits: components['schemas']['SearchHit'][];
      /** @description Whether names that contain the text were searched, too. `false` if the database does not have the extension `pg_trgm`, or if the text does not contain three ASCII letters or digits in a row. */
      substrings: boolean;
    };
    Session: {
      user: components['schemas']['SessionUser'];
      /** @description The project in which all requests are made. */
      project: components['schemas']['SessionProject'];
      /** @description The projects that the user can enter, ordered by name. A root user can enter all; the first 1,000 are listed. */
      projects: components['schemas']['SessionProject'][];
      /** @enum {string} */
      method: 'api-key' | 'oidc';
      /** @description The time of the sign-in. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description When the session ends at the latest. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      expires_at: string;
      /** @description When the session ends without a further request. Requests postpone it, once a minute. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      idle_expires_at: string;
    };
    SessionProject: {
      /** Format: uuid */
      id: string;
      name: string;
    };
    SessionUser: {
      /** Format: int64 */
      id: number;
      /** @description Unique in the project. */
      username: string;
      is_admin: boolean;
      is_root: boolean;
      roles: string[];
    };
    SetVariables: {
      /** @description The ids of the resources to change. Without `ids`, the filters in the query select them; a filter that matches every resource does not count, and neither do `missing` in `where` and `without_label`, which match every resource if a name is misspelled. */
      ids?: number[];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables: components['schemas']['VariableMap'];
    };
    SignIn: {
      methods: ('api-key' | 'oidc')[];
      /** @description The name of the OpenID provider; `null` without one. */
      oidc_name: string | null;
      /** @description What a command-line client needs to get access tokens; `null` without an OpenID provider. */
      oidc: components['schemas']['OidcClient'] | null;
    };
    SignOut: {
      sign_out_url: string;
    };
    Start: {
      name: string;
      links: components['schemas']['StartLink'][];
    };
    StartLink: {
      /** @enum {string} */
      rel: 'documentation' | 'openapi' | 'readiness';
      href: string;
    };
    Status: {
      status: string;
    };
    Target: {
      /** @description One address for each port. */
      targets: string[];
      labels: {
        [key: string]: string;
      };
    };
    TriedChange: {
      /** Format: uuid */
      project_id: string;
      actor: components['schemas']['Actor'];
      request_id: string;
      reason: string | null;
      /** @description Why an admin passed the rules for approvals: the header `X-Change-Override`. */
      override: string | null;
      /** @description `null` if the write was done without a proposal. */
      proposal: components['schemas']['AppliedProposal'] | null;
      /** @description The ids of the changes that it reverted, newest first. */
      reverts: number[];
      /** @description `null` in records from before impacts were counted. For callers who do not see all variables, also `null` in records from before a variable became private. */
      impact: components['schemas']['ImpactCount'] | null;
      /**
       * Format: int64
       * @description How many resources it touched that the caller may see.
       */
      objects_total: number;
      /** @description In the order in which they were touched: the first 1,000 in a single record, the first 100 in lists and in the feed. `/v1/changes/{id}/objects` lists all of them. */
      objects: components['schemas']['ChangedObject'][];
      /** Format: int64 */
      id: number | null;
      created_at: string | null;
    };
    UpdateAccessSecret: {
      /** @description Encrypted at rest. */
      cert?: string;
    };
    UpdateAudit: {
      /** @description Unique in the project. */
      name?: string;
      /** @description The purpose of the audit. */
      description?: string | null;
      /**
       * @description The kind of device that the audit targets; `null` for all kinds.
       * @enum {string|null}
       */
      kind?: 'host' | 'network-device' | null;
      /** @description The devices that the audit targets, as filters on resolved variables; `null` for all. */
      vars?: string | null;
      /** @description Further conditions on these devices, in the syntax of the parameter `where` of lists; `null` for none. */
      where?: string[] | null;
      /** @description The condition that every targeted device must meet: `vars`, `where` or both, or `key` and `schema`. */
      expectation?: components['schemas']['Expectation'];
    };
    UpdateCell: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: components['schemas']['LabelNames'];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: components['schemas']['VariableMap'];
      /** @description Unique in the region. */
      name?: string;
      /**
       * Format: int64
       * @description The cell's current region. To move a cell, use `PUT /v1/regions/{id}`.
       */
      region_id?: number;
    };
    UpdateCloud: {
      /** @description Unique in the project. */
      name?: string;
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
    };
    UpdateHost: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: components['schemas']['LabelNames'];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: components['schemas']['VariableMap'];
      /**
       * Format: int64
       * @description The device's cell. It must be in the device's region.
       */
      cell_id?: number | null;
      /**
       * Format: int64
       * @description The parent device, in the same project. It must not be the device itself or one of its descendants.
       */
      parent_id?: number | null;
      active?: boolean;
      /**
       * Format: int64
       * @description The access secret for the device.
       */
      access_secret_id?: number | null;
      /** @description Unique among the devices of the project. */
      name?: string;
      /**
       * Format: int64
       * @description The device's region.
       */
      region_id?: number;
      ip_address?: string;
      device_type?: string;
    };
    UpdateLabel: {
      label?: string;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: components['schemas']['VariableMap'];
    };
    UpdateNetworkDevice: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: components['schemas']['LabelNames'];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: components['schemas']['VariableMap'];
      /**
       * Format: int64
       * @description The device's cell. It must be in the device's region.
       */
      cell_id?: number | null;
      /**
       * Format: int64
       * @description The parent device, in the same project. It must not be the device itself or one of its descendants.
       */
      parent_id?: number | null;
      active?: boolean;
      /**
       * Format: int64
       * @description The access secret for the device.
       */
      access_secret_id?: number | null;
      /** @description Unique among the devices of the project. */
      name?: string;
      /**
       * Format: int64
       * @description The device's region.
       */
      region_id?: number;
      ip_address?: string;
      device_type?: string;
      /** @description The model. */
      model_name?: string | null;
      /** @description The version of the operating system. */
      os_version?: string | null;
      /** @description Any JSON value, or `null`. */
      vlans?: unknown;
    };
    UpdateProject: {
      /** @description Unique in the deployment. */
      name?: string;
    };
    UpdateProposal: {
      title?: string;
      /** @description What it is for. */
      description?: string | null;
      /** @description The reason of the change, when it is applied. */
      reason?: string | null;
      /** @description The operations of a new revision. */
      operations?: components['schemas']['BatchOperation'][];
      /** @description Makes a new revision that takes the present inventory as its base: it conflicts only with later changes. Without `operations`, it has the same operations without their preconditions. */
      rebase?: boolean;
    };
    UpdateRegion: {
      /** @description All labels of the resource: names separated by `,`, or an array of names. New labels are created. */
      labels?: components['schemas']['LabelNames'];
      /** @description The reason of the change, if the request has no `X-Change-Reason`. */
      note?: string | null;
      /** @description Keys and values to set. Other variables do not change. */
      variables?: components['schemas']['VariableMap'];
      /** @description Unique in the project. */
      name?: string;
      /**
       * Format: int64
       * @description The cloud that the region belongs to.
       */
      cloud_id?: number | null;
      /** @description Cells to move into this region, with their devices. Other cells do not move. */
      cells?: components['schemas']['CellReference'][];
    };
    UpdateSavedView: {
      /** @description Unique in the project. */
      name?: string;
      /** @description What the view is for. */
      description?: string | null;
      /** @description The page of the explorer with its filters, columns and order: the path and the query of its URL, without the project. */
      address?: string;
    };
    UpdateSettings: {
      /** @description `null`: no reason is required. */
      change_reason?: components['schemas']['ChangeReason'] | null;
      /** @description Keys, or prefixes of keys followed by `*`. The whole set; `private:db_password` is the same key. */
      private?: string[];
      /** @description Whether a device cannot get an address that another device of the project has. Existing devices are not checked. */
      unique_addresses?: boolean;
      /** @description Whether users without roles see no other users and no change records, and create no API keys. */
      restricts_readers?: boolean;
      /** @description Which writes need approvals: the whole list. A write meets a rule if it fulfils all that the rule names. In a project with rules, a change of the list meets all of them. */
      approvals?: components['schemas']['ApprovalRule'][];
    };
    UpdateUser: {
      is_admin?: boolean;
      /** @description Only root can set it. */
      is_root?: boolean;
      /** @description `<collection>:write`, `*:write`; a variable key, or a prefix of keys followed by `*`. */
      roles?: string[];
      /** @description Unique in the project. */
      username?: string;
    };
    UpdateVariableDefinition: {
      /** @description A variable key, or a key prefix followed by `*`. Unique in the project. */
      key?: string;
      /** @description The purpose of the variable. */
      description?: string | null;
      /** @description A JSON Schema of draft 2020-12, or of draft-07 if `$schema` names it. At most 64 KiB and 64 levels deep. */
      schema?: components['schemas']['JsonSchema'];
    };
    User: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      username: string;
      is_admin: boolean;
      is_root: boolean;
      roles: string[];
    };
    UserListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description Unique in the project. */
      username?: string;
      is_admin?: boolean;
      is_root?: boolean;
      roles?: string[];
    };
    UserOrPreview: components['schemas']['User'] | components['schemas']['Preview'];
    UserPage: {
      items: components['schemas']['UserListItem'][];
      links: components['schemas']['Link'][];
    };
    UserWithKey: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description Unique in the project. */
      username: string;
      is_admin: boolean;
      is_root: boolean;
      roles: string[];
      /** @description Only this response contains it. */
      api_key: string;
    };
    UserWithKeyList: components['schemas']['UserWithKey'][];
    UserWithKeyOrPreview: components['schemas']['UserWithKey'] | components['schemas']['Preview'];
    UserWithKeysOrPreview:
      | components['schemas']['UserWithKey']
      | components['schemas']['UserWithKeyList']
      | components['schemas']['Preview'];
    Variable: {
      key: string;
      value: unknown;
    };
    VariableAssignment: {
      /** @description The username at the time of the change. `null`, as `reason` and `change_id`, for callers who cannot read change records. */
      set_by: string | null;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      set_at: string;
      reason: string | null;
      /**
       * Format: int64
       * @description The id of the change that set it.
       */
      change_id: number | null;
      key: string;
      /** @description `region`, `cell`, `label`, or the kind of the device. */
      kind: string;
      /** Format: int64 */
      id: number;
      name: string;
      /** Format: uuid */
      project_id: string;
      value: unknown;
      /** @description `owner` is the resource that the variable is set on. */
      links: components['schemas']['Link'][];
    };
    VariableAssignmentListItem: {
      /** @description The username at the time of the change. `null`, as `reason` and `change_id`, for callers who cannot read change records. */
      set_by?: string | null;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      set_at?: string;
      reason?: string | null;
      /**
       * Format: int64
       * @description The id of the change that set it.
       */
      change_id?: number | null;
      key?: string;
      /** @description `region`, `cell`, `label`, or the kind of the device. */
      kind?: string;
      /** Format: int64 */
      id?: number;
      name?: string;
      /** Format: uuid */
      project_id?: string;
      value?: unknown;
      /** @description `owner` is the resource that the variable is set on. */
      links?: components['schemas']['Link'][];
    };
    VariableAssignmentPage: {
      items: components['schemas']['VariableAssignmentListItem'][];
      links: components['schemas']['Link'][];
    };
    /** @description For each key an object with the values `before` and `after`; a side is absent where the key is not set. */
    VariableChanges: {
      [key: string]: unknown;
    };
    VariableDefinition: {
      /** Format: int64 */
      id: number;
      /** Format: uuid */
      uuid: string;
      /** Format: uuid */
      project_id: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version: number;
      /** @description A variable key, or a key prefix followed by `*`. Unique in the project. */
      key: string;
      description: string | null;
      /** @description The JSON Schema for every value of these keys. */
      schema: components['schemas']['JsonSchema'];
    };
    VariableDefinitionList: components['schemas']['VariableDefinition'][];
    VariableDefinitionListItem: {
      /** Format: int64 */
      id?: number;
      /** Format: uuid */
      uuid?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      created_at?: string;
      /** @description `null` until the first update. UTC, without a zone; with `Prefer: times=rfc3339`, it ends with `Z`. */
      updated_at?: string | null;
      /** @description Incremented by every change. The entity tag for `If-Match`. */
      version?: number;
      /** @description A variable key, or a key prefix followed by `*`. Unique in the project. */
      key?: string;
      description?: string | null;
      /** @description The JSON Schema for every value of these keys. */
      schema?: components['schemas']['JsonSchema'];
    };
    VariableDefinitionOrPreview:
      | components['schemas']['VariableDefinition']
      | components['schemas']['Preview'];
    VariableDefinitionPage: {
      items: components['schemas']['VariableDefinitionListItem'][];
      links: components['schemas']['Link'][];
    };
    VariableDefinitionsOrPreview:
      | components['schemas']['VariableDefinition']
      | components['schemas']['VariableDefinitionList']
      | components['schemas']['Preview'];
    VariableKey: {
      key: string;
      /** Format: uuid */
      project_id: string;
      /** @description How many devices resolve the key to a value, own or inherited. */
      resolved_by: number;
      /** @description How many regions set it. */
      regions: number;
      /** @description How many cells set it. */
      cells: number;
      /** @description How many labels set it. */
      labels: number;
      /** @description How many hosts set it. */
      hosts: number;
      /** @description How many network-devices set it. */
      'network-devices': number;
    };
    VariableKeyListItem: {
      key?: string;
      /** Format: uuid */
      project_id?: string;
      /** @description How many devices resolve the key to a value, own or inherited. */
      resolved_by?: number;
      /** @description How many regions set it. */
      regions?: number;
      /** @description How many cells set it. */
      cells?: number;
      /** @description How many labels set it. */
      labels?: number;
      /** @description How many hosts set it. */
      hosts?: number;
      /** @description How many network-devices set it. */
      'network-devices'?: number;
    };
    VariableKeyPage: {
      items: components['schemas']['VariableKeyListItem'][];
      links: components['schemas']['Link'][];
    };
    /** @description Variables: keys, and any JSON values. */
    VariableMap: {
      [key: string]: unknown;
    };
    VariableOrPreview: components['schemas']['Variable'] | components['schemas']['Preview'];
    VariableSetOutcome: {
      /** @description How many resources were selected. */
      matched: number;
      /** @description How many resources were changed. */
      updated: number;
      /** @description How many resources already had these values and were not changed. */
      unchanged: number;
    };
    VariableSetPreview: {
      /** @description How many resources were selected. */
      matched: number;
      /** @description How many resources were changed. */
      updated: number;
      /** @description How many resources already had these values and were not changed. */
      unchanged: number;
      /** @description Tells a preview from other responses. */
      dry_run: boolean;
      impact: components['schemas']['PreviewedImpact'];
      /** @description Set if the write meets a rule of the project (`approvals`): without the dry run, it is rejected with `403`. */
      approval_required?: components['schemas']['RequiredApproval'];
      /** @description Set if the project does not accept the reason (`change_reason`): without the dry run, the write is rejected with `400`. */
      reason_rejected?: components['schemas']['RejectedReason'];
    };
    VariableSetResult:
      | components['schemas']['VariableSetOutcome']
      | components['schemas']['VariableSetPreview'];
    VariableValue: {
      value: unknown;
    };
    VariableValues: {
      /** @description The number of devices that match the filters. */
      devices: number;
      /** @description How many of them resolve the key to no value, or to a value without the `path`. */
      without: number;
      /** @description The number of different values, including those that are not in `values`. */
      distinct: number;
      /** @description The most frequent values, at most `limit`, the most frequent first. All values of a response together have at most 4 MiB; use `path` to count a part of large values. */
      values: components['schemas']['CountedValue'][];
      key: string;
      /** @description With `group_by`: the distribution in each group, the largest group first, at most `group_limit`. A device with several labels is in several groups, and a device without labels is in none. */
      groups?: components['schemas']['GroupDistribution'][];
    };
    Variables: {
      variables: components['schemas']['VariableMap'];
    };
    VariablesOrPreview: components['schemas']['Variables'] | components['schemas']['Preview'];
    VariablesToDelete: components['schemas']['VariableMap'] | string[];
    Violation: {
      /** @description The kind of the resource that sets the variable. */
      kind: string;
      /** Format: int64 */
      id: number;
      name: string;
      key: string;
      /** @description The value that the resource sets. */
      value: unknown;
      /** @description The location of the violation in the value, as a JSON pointer. */
      path: string;
      message: string;
    };
    ViolationPage: {
      items: components['schemas']['Violation'][];
      links: components['schemas']['Link'][];
    };
    WrittenValue: {
      /** @description Absent where it is not set. */
      before?: unknown;
      /** @description Absent where it is not set. */
      after?: unknown;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  devicesList: {
    parameters: {
      query?: {
        /** @description The device with this id. */
        id?: number;
        /** @description Devices in this region. */
        region_id?: number;
        /** @description Devices in this cell. */
        cell_id?: number;
        /** @description Devices whose parent is this device. */
        parent_id?: number;
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Whether to include the descendants of the matching devices. */
        descendants?: boolean;
        /** @description The maximum number of devices. */
        limit?: number;
        /** @description Where the page begins: after the device with this id; `last` for the last page. */
        marker?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of devices, grouped by kind and ordered by id. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DevicePage'];
        };
      };
    };
  };
  hostsSetVariables: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices in this region. Can be repeated: devices in any of the regions. */
        region_id?: number | number[];
        /** @description Devices in this cell; `null` for devices without a cell. Can be repeated: devices in any of the cells. */
        cell_id?: (number | string) | (number | string)[];
        /** @description The exact name. */
        name?: string;
        /** @description Devices whose name contains this text, in upper or lower case. */
        name_contains?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. Can be repeated: devices of any of the types. */
        device_type?: string | string[];
        /** @description The name of one label of the resource, without commas. Can be repeated; the resource must have all of the labels. */
        label?: string | string[];
        /** @description The name of one label that the resource does not have, without commas. Can be repeated; the resource must have none of the labels. */
        without_label?: string | string[];
        /** @description Whether the resources have any label. */
        has_labels?: boolean;
        /** @description Devices whose parent is this device; `null` for devices without a parent. Can be repeated: children of any of the devices. */
        parent_id?: (number | string) | (number | string)[];
        /** @description Devices with this access secret; `null` for devices without one. Can be repeated: devices with any of the secrets. */
        access_secret_id?: (number | string) | (number | string)[];
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Whether to include the descendants of the matching devices, at any depth and through devices of all kinds. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
        /** @description Conditions on resolved variables, each a parameter of its own; all must match, at most 16. `<path> <operator> <value>`: paths are those of `vars`, values are JSON. Operators: `=`, `!=`, `<`, `<=`, `>`, `>=` (numbers by value, texts in natural order), `^=` (begins with), `~=` (contains, ignoring case), `in [<value>, …]`, `exists` and `missing`. */
        where?: string | string[];
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetVariables'];
      };
    };
    responses: {
      /** @description How many resources were changed; with `dry_run=true`, what the request would change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableSetResult'];
        };
      };
    };
  };
  hostsList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'region_id'
          | 'cell_id'
          | 'parent_id'
          | 'ip_address'
          | 'device_type'
          | 'active'
          | 'labels'
          | 'note'
          | 'access_secret_id'
          | 'created_at'
          | 'updated_at'
          | 'version'
          | 'variables'
          | 'links'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'name:natural'
          | 'region_id'
          | 'cell_id'
          | 'parent_id'
          | 'ip_address'
          | 'device_type'
          | 'active'
          | 'note'
          | 'access_secret_id'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Keys, joined by `,`. The member `explain` of each item contains the origin of their values. */
        explain?: string[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices in this region. Can be repeated: devices in any of the regions. */
        region_id?: number | number[];
        /** @description Devices in this cell; `null` for devices without a cell. Can be repeated: devices in any of the cells. */
        cell_id?: (number | string) | (number | string)[];
        /** @description The exact name. */
        name?: string;
        /** @description Devices whose name contains this text, in upper or lower case. */
        name_contains?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. Can be repeated: devices of any of the types. */
        device_type?: string | string[];
        /** @description The name of one label of the resource, without commas. Can be repeated; the resource must have all of the labels. */
        label?: string | string[];
        /** @description The name of one label that the resource does not have, without commas. Can be repeated; the resource must have none of the labels. */
        without_label?: string | string[];
        /** @description Whether the resources have any label. */
        has_labels?: boolean;
        /** @description Devices whose parent is this device; `null` for devices without a parent. Can be repeated: children of any of the devices. */
        parent_id?: (number | string) | (number | string)[];
        /** @description Devices with this access secret; `null` for devices without one. Can be repeated: devices with any of the secrets. */
        access_secret_id?: (number | string) | (number | string)[];
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Whether to include the descendants of the matching devices, at any depth and through devices of all kinds. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
        /** @description Conditions on resolved variables, each a parameter of its own; all must match, at most 16. `<path> <operator> <value>`: paths are those of `vars`, values are JSON. Operators: `=`, `!=`, `<`, `<=`, `>`, `>=` (numbers by value, texts in natural order), `^=` (begins with), `~=` (contains, ignoring case), `in [<value>, …]`, `exists` and `missing`. */
        where?: string | string[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `HostPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HostListItem'][];
        };
      };
    };
  };
  hostsCreate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateHosts'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HostsOrPreview'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HostsOrPreview'];
        };
      };
    };
  };
  hostsShow: {
    parameters: {
      query?: {
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the host, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Host'];
        };
      };
    };
  };
  hostsUpdate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the host, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateHost'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HostOrPreview'];
        };
      };
    };
  };
  hostsDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the host, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  hostLabelsGet: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the host, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The names of the labels, sorted by code point. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelSet'];
        };
      };
    };
  };
  hostLabelsAdd: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the host, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LabelSet'];
      };
    };
    responses: {
      /** @description The names of the labels, sorted by code point. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelSetOrPreview'];
        };
      };
    };
  };
  hostLabelsRemove: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the host, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LabelSet'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description The labels were removed, or were not assigned. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  hostVariablesGet: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the host, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Variables'];
        };
      };
    };
  };
  hostVariablesSet: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the host, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values, or one pair as `{"key": …, "value": …}`. */
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableMap'];
      };
    };
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesOrPreview'];
        };
      };
    };
  };
  hostVariablesDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the host, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`, or an object or an array of keys. Keys that are not set are ignored. */
    requestBody: {
      content: {
        'application/json': components['schemas']['VariablesToDelete'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description The variables were deleted, or were not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  hostVariablesExplain: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Only these keys: repeated, or joined by `,`. */
        key?: string | string[];
      };
      header?: never;
      path: {
        /** @description The id of the host, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The explained variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Explanations'];
        };
      };
    };
  };
  hostVariableGet: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the host, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variable. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Variable'];
        };
      };
    };
  };
  hostVariableSet: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description `*`: only if the variable is not set. */
        'If-None-Match'?: '*';
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the host, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableValue'];
      };
    };
    responses: {
      /** @description The variable as it was set. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableOrPreview'];
        };
      };
    };
  };
  hostVariableDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the host, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description The variable was deleted, or was not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  networkDevicesSetVariables: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices in this region. Can be repeated: devices in any of the regions. */
        region_id?: number | number[];
        /** @description Devices in this cell; `null` for devices without a cell. Can be repeated: devices in any of the cells. */
        cell_id?: (number | string) | (number | string)[];
        /** @description The exact name. */
        name?: string;
        /** @description Devices whose name contains this text, in upper or lower case. */
        name_contains?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. Can be repeated: devices of any of the types. */
        device_type?: string | string[];
        /** @description The name of one label of the resource, without commas. Can be repeated; the resource must have all of the labels. */
        label?: string | string[];
        /** @description The name of one label that the resource does not have, without commas. Can be repeated; the resource must have none of the labels. */
        without_label?: string | string[];
        /** @description Whether the resources have any label. */
        has_labels?: boolean;
        /** @description Devices whose parent is this device; `null` for devices without a parent. Can be repeated: children of any of the devices. */
        parent_id?: (number | string) | (number | string)[];
        /** @description Devices with this access secret; `null` for devices without one. Can be repeated: devices with any of the secrets. */
        access_secret_id?: (number | string) | (number | string)[];
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Whether to include the descendants of the matching devices, at any depth and through devices of all kinds. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
        /** @description Conditions on resolved variables, each a parameter of its own; all must match, at most 16. `<path> <operator> <value>`: paths are those of `vars`, values are JSON. Operators: `=`, `!=`, `<`, `<=`, `>`, `>=` (numbers by value, texts in natural order), `^=` (begins with), `~=` (contains, ignoring case), `in [<value>, …]`, `exists` and `missing`. */
        where?: string | string[];
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetVariables'];
      };
    };
    responses: {
      /** @description How many resources were changed; with `dry_run=true`, what the request would change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableSetResult'];
        };
      };
    };
  };
  networkDevicesList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'region_id'
          | 'cell_id'
          | 'parent_id'
          | 'ip_address'
          | 'device_type'
          | 'active'
          | 'labels'
          | 'note'
          | 'access_secret_id'
          | 'model_name'
          | 'os_version'
          | 'vlans'
          | 'created_at'
          | 'updated_at'
          | 'version'
          | 'variables'
          | 'links'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'name:natural'
          | 'region_id'
          | 'cell_id'
          | 'parent_id'
          | 'ip_address'
          | 'device_type'
          | 'active'
          | 'note'
          | 'access_secret_id'
          | 'model_name'
          | 'os_version'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Keys, joined by `,`. The member `explain` of each item contains the origin of their values. */
        explain?: string[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices in this region. Can be repeated: devices in any of the regions. */
        region_id?: number | number[];
        /** @description Devices in this cell; `null` for devices without a cell. Can be repeated: devices in any of the cells. */
        cell_id?: (number | string) | (number | string)[];
        /** @description The exact name. */
        name?: string;
        /** @description Devices whose name contains this text, in upper or lower case. */
        name_contains?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. Can be repeated: devices of any of the types. */
        device_type?: string | string[];
        /** @description The name of one label of the resource, without commas. Can be repeated; the resource must have all of the labels. */
        label?: string | string[];
        /** @description The name of one label that the resource does not have, without commas. Can be repeated; the resource must have none of the labels. */
        without_label?: string | string[];
        /** @description Whether the resources have any label. */
        has_labels?: boolean;
        /** @description Devices whose parent is this device; `null` for devices without a parent. Can be repeated: children of any of the devices. */
        parent_id?: (number | string) | (number | string)[];
        /** @description Devices with this access secret; `null` for devices without one. Can be repeated: devices with any of the secrets. */
        access_secret_id?: (number | string) | (number | string)[];
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Whether to include the descendants of the matching devices, at any depth and through devices of all kinds. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
        /** @description Conditions on resolved variables, each a parameter of its own; all must match, at most 16. `<path> <operator> <value>`: paths are those of `vars`, values are JSON. Operators: `=`, `!=`, `<`, `<=`, `>`, `>=` (numbers by value, texts in natural order), `^=` (begins with), `~=` (contains, ignoring case), `in [<value>, …]`, `exists` and `missing`. */
        where?: string | string[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `NetworkDevicePage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NetworkDeviceListItem'][];
        };
      };
    };
  };
  networkDevicesCreate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateNetworkDevices'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NetworkDevicesOrPreview'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NetworkDevicesOrPreview'];
        };
      };
    };
  };
  networkDevicesShow: {
    parameters: {
      query?: {
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the network device, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NetworkDevice'];
        };
      };
    };
  };
  networkDevicesUpdate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the network device, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateNetworkDevice'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NetworkDeviceOrPreview'];
        };
      };
    };
  };
  networkDevicesDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the network device, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  networkDeviceLabelsGet: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the network device, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The names of the labels, sorted by code point. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelSet'];
        };
      };
    };
  };
  networkDeviceLabelsAdd: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the network device, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LabelSet'];
      };
    };
    responses: {
      /** @description The names of the labels, sorted by code point. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelSetOrPreview'];
        };
      };
    };
  };
  networkDeviceLabelsRemove: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the network device, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LabelSet'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description The labels were removed, or were not assigned. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  networkDeviceVariablesGet: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the network device, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Variables'];
        };
      };
    };
  };
  networkDeviceVariablesSet: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the network device, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values, or one pair as `{"key": …, "value": …}`. */
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableMap'];
      };
    };
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesOrPreview'];
        };
      };
    };
  };
  networkDeviceVariablesDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the network device, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`, or an object or an array of keys. Keys that are not set are ignored. */
    requestBody: {
      content: {
        'application/json': components['schemas']['VariablesToDelete'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description The variables were deleted, or were not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  networkDeviceVariablesExplain: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Only these keys: repeated, or joined by `,`. */
        key?: string | string[];
      };
      header?: never;
      path: {
        /** @description The id of the network device, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The explained variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Explanations'];
        };
      };
    };
  };
  networkDeviceVariableGet: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the network device, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variable. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Variable'];
        };
      };
    };
  };
  networkDeviceVariableSet: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description `*`: only if the variable is not set. */
        'If-None-Match'?: '*';
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the network device, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableValue'];
      };
    };
    responses: {
      /** @description The variable as it was set. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableOrPreview'];
        };
      };
    };
  };
  networkDeviceVariableDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the network device, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description The variable was deleted, or was not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  projectsList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: ('id' | 'uuid' | 'project_id' | 'name' | 'created_at' | 'updated_at' | 'version')[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'uuid' | 'project_id' | 'name' | 'created_at' | 'updated_at' | 'version')[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        name?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ProjectPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProjectListItem'][];
        };
      };
    };
  };
  projectsCreate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateProject'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProjectOrPreview'];
        };
      };
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProjectOrPreview'];
        };
      };
    };
  };
  projectsShow: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the project. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Project'];
        };
      };
    };
  };
  projectsUpdate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the project. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateProject'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProjectOrPreview'];
        };
      };
    };
  };
  projectsDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the project. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  projectSettingsShow: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the project. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The settings, or the defaults if none were set. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProjectSettings'];
        };
      };
    };
  };
  projectSettingsUpdate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the project. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateSettings'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProjectSettingsOrPreview'];
        };
      };
    };
  };
  usersList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'username'
          | 'is_admin'
          | 'is_root'
          | 'roles'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'username'
          | 'is_admin'
          | 'is_root'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose username has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        username?: string;
        /** @description The exact name: the same as `username`. */
        name?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `UserPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserListItem'][];
        };
      };
    };
  };
  usersCreate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateUsers'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserWithKeysOrPreview'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserWithKeysOrPreview'];
        };
      };
    };
  };
  usersShow: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the user, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['User'];
        };
      };
    };
  };
  usersUpdate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the user, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateUser'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserOrPreview'];
        };
      };
    };
  };
  usersDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the user, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  userApiKeysReplace: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the user, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['NewApiKeyBody'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserWithKeyOrPreview'];
        };
      };
      /** @description The user, with the key. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserWithKeyOrPreview'];
        };
      };
    };
  };
  userApiKeysList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: ('id' | 'key_id' | 'state' | 'note' | 'created_at' | 'expires_at' | 'revoked_at')[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'key_id' | 'note' | 'created_at' | 'expires_at' | 'revoked_at')[];
      };
      header?: never;
      path: {
        /** @description The id of the user, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ApiKeyPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyListItem'][];
        };
      };
    };
  };
  userApiKeysCreate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the user, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['NewApiKeyBody'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserWithKeyOrPreview'];
        };
      };
      /** @description The user, with the key. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserWithKeyOrPreview'];
        };
      };
    };
  };
  userApiKeysRevoke: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the user, or its UUID. */
        id: number;
        /** @description The id of the key: its part between the underscores. */
        key_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description Revoked. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  whoami: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The caller. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Caller'];
        };
      };
    };
  };
  userVariablesGet: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the user, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Variables'];
        };
      };
    };
  };
  userVariablesSet: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the user, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values, or one pair as `{"key": …, "value": …}`. */
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableMap'];
      };
    };
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesOrPreview'];
        };
      };
    };
  };
  userVariablesDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the user, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`, or an object or an array of keys. Keys that are not set are ignored. */
    requestBody: {
      content: {
        'application/json': components['schemas']['VariablesToDelete'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description The variables were deleted, or were not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  userVariableGet: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the user, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variable. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Variable'];
        };
      };
    };
  };
  userVariableSet: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description `*`: only if the variable is not set. */
        'If-None-Match'?: '*';
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the user, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableValue'];
      };
    };
    responses: {
      /** @description The variable as it was set. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableOrPreview'];
        };
      };
    };
  };
  userVariableDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the user, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description The variable was deleted, or was not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  sessionShow: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
    };
  };
  sessionEnter: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EnterProject'];
      };
    };
    responses: {
      /** @description The session. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
    };
  };
  sessionStart: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
    };
  };
  sessionEnd: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Ended. The user can sign out at the OpenID provider, too. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SignOut'];
        };
      };
      /** @description Ended. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  signInShow: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The methods. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SignIn'];
        };
      };
    };
  };
  signInBegin: {
    parameters: {
      query?: {
        /** @description The path of the page that the browser is sent to afterwards. */
        return_to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: never;
  };
  signInComplete: {
    parameters: {
      query?: {
        /** @description From the provider, like `state`, `iss` and `error`. */
        code?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: never;
  };
  cloudsList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: ('id' | 'uuid' | 'project_id' | 'name' | 'note' | 'created_at' | 'updated_at' | 'version')[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'name:natural'
          | 'note'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        name?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `CloudPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CloudListItem'][];
        };
      };
    };
  };
  cloudsCreate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateClouds'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CloudsOrPreview'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CloudsOrPreview'];
        };
      };
    };
  };
  cloudsShow: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the cloud, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Cloud'];
        };
      };
    };
  };
  cloudsUpdate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the cloud, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateCloud'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CloudOrPreview'];
        };
      };
    };
  };
  cloudsDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the cloud, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  regionsSetVariables: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        name?: string;
        /** @description The name of one label of the resource, without commas. Can be repeated; the resource must have all of the labels. */
        label?: string | string[];
        /** @description Regions in this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
        /** @description Conditions on resolved variables, each a parameter of its own; all must match, at most 16. `<path> <operator> <value>`: paths are those of `vars`, values are JSON. Operators: `=`, `!=`, `<`, `<=`, `>`, `>=` (numbers by value, texts in natural order), `^=` (begins with), `~=` (contains, ignoring case), `in [<value>, …]`, `exists` and `missing`. */
        where?: string | string[];
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetVariables'];
      };
    };
    responses: {
      /** @description How many resources were changed; with `dry_run=true`, what the request would change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableSetResult'];
        };
      };
    };
  };
  regionsList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'cloud_id'
          | 'cells'
          | 'labels'
          | 'note'
          | 'created_at'
          | 'updated_at'
          | 'version'
          | 'variables'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'name:natural'
          | 'cloud_id'
          | 'note'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        name?: string;
        /** @description The name of one label of the resource, without commas. Can be repeated; the resource must have all of the labels. */
        label?: string | string[];
        /** @description Regions in this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
        /** @description Conditions on resolved variables, each a parameter of its own; all must match, at most 16. `<path> <operator> <value>`: paths are those of `vars`, values are JSON. Operators: `=`, `!=`, `<`, `<=`, `>`, `>=` (numbers by value, texts in natural order), `^=` (begins with), `~=` (contains, ignoring case), `in [<value>, …]`, `exists` and `missing`. */
        where?: string | string[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `RegionPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegionListItem'][];
        };
      };
    };
  };
  regionsCreate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateRegions'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegionsOrPreview'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegionsOrPreview'];
        };
      };
    };
  };
  regionsShow: {
    parameters: {
      query?: {
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the region, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Region'];
        };
      };
    };
  };
  regionsUpdate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the region, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateRegion'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegionOrPreview'];
        };
      };
    };
  };
  regionsDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the region, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  regionVariablesGet: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the region, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Variables'];
        };
      };
    };
  };
  regionVariablesSet: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the region, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values, or one pair as `{"key": …, "value": …}`. */
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableMap'];
      };
    };
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesOrPreview'];
        };
      };
    };
  };
  regionVariablesDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the region, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`, or an object or an array of keys. Keys that are not set are ignored. */
    requestBody: {
      content: {
        'application/json': components['schemas']['VariablesToDelete'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description The variables were deleted, or were not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  regionVariableGet: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the region, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variable. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Variable'];
        };
      };
    };
  };
  regionVariableSet: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description `*`: only if the variable is not set. */
        'If-None-Match'?: '*';
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the region, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableValue'];
      };
    };
    responses: {
      /** @description The variable as it was set. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableOrPreview'];
        };
      };
    };
  };
  regionVariableDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the region, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description The variable was deleted, or was not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  cellsSetVariables: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Cells in this region. */
        region_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description The name of one label of the resource, without commas. Can be repeated; the resource must have all of the labels. */
        label?: string | string[];
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
        /** @description Conditions on resolved variables, each a parameter of its own; all must match, at most 16. `<path> <operator> <value>`: paths are those of `vars`, values are JSON. Operators: `=`, `!=`, `<`, `<=`, `>`, `>=` (numbers by value, texts in natural order), `^=` (begins with), `~=` (contains, ignoring case), `in [<value>, …]`, `exists` and `missing`. */
        where?: string | string[];
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetVariables'];
      };
    };
    responses: {
      /** @description How many resources were changed; with `dry_run=true`, what the request would change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableSetResult'];
        };
      };
    };
  };
  cellsList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'region_id'
          | 'labels'
          | 'note'
          | 'created_at'
          | 'updated_at'
          | 'version'
          | 'variables'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'name:natural'
          | 'region_id'
          | 'note'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Keys, joined by `,`. The member `explain` of each item contains the origin of their values. */
        explain?: string[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Cells in this region. */
        region_id?: number;
        /** @description The exact name. */
        name?: string;
        /** @description The name of one label of the resource, without commas. Can be repeated; the resource must have all of the labels. */
        label?: string | string[];
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
        /** @description Conditions on resolved variables, each a parameter of its own; all must match, at most 16. `<path> <operator> <value>`: paths are those of `vars`, values are JSON. Operators: `=`, `!=`, `<`, `<=`, `>`, `>=` (numbers by value, texts in natural order), `^=` (begins with), `~=` (contains, ignoring case), `in [<value>, …]`, `exists` and `missing`. */
        where?: string | string[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `CellPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CellListItem'][];
        };
      };
    };
  };
  cellsCreate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateCells'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CellsOrPreview'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CellsOrPreview'];
        };
      };
    };
  };
  cellsShow: {
    parameters: {
      query?: {
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the cell, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Cell'];
        };
      };
    };
  };
  cellsUpdate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the cell, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateCell'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CellOrPreview'];
        };
      };
    };
  };
  cellsDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the cell, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  cellVariablesGet: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the cell, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Variables'];
        };
      };
    };
  };
  cellVariablesSet: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the cell, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values, or one pair as `{"key": …, "value": …}`. */
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableMap'];
      };
    };
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesOrPreview'];
        };
      };
    };
  };
  cellVariablesDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the cell, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`, or an object or an array of keys. Keys that are not set are ignored. */
    requestBody: {
      content: {
        'application/json': components['schemas']['VariablesToDelete'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description The variables were deleted, or were not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  cellVariablesExplain: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Only these keys: repeated, or joined by `,`. */
        key?: string | string[];
      };
      header?: never;
      path: {
        /** @description The id of the cell, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The explained variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Explanations'];
        };
      };
    };
  };
  cellVariableGet: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the cell, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variable. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Variable'];
        };
      };
    };
  };
  cellVariableSet: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description `*`: only if the variable is not set. */
        'If-None-Match'?: '*';
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the cell, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableValue'];
      };
    };
    responses: {
      /** @description The variable as it was set. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableOrPreview'];
        };
      };
    };
  };
  cellVariableDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the cell, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description The variable was deleted, or was not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  labelsSetVariables: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose label has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        label?: string;
        /** @description The exact name. An alias of `label`. */
        name?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SetVariables'];
      };
    };
    responses: {
      /** @description How many resources were changed; with `dry_run=true`, what the request would change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableSetResult'];
        };
      };
    };
  };
  labelsList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'label'
          | 'created_at'
          | 'updated_at'
          | 'version'
          | 'variables'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'label'
          | 'label:natural'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose label has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        label?: string;
        /** @description The exact name. An alias of `label`. */
        name?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `LabelPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelListItem'][];
        };
      };
    };
  };
  labelsCreate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateLabels'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelsOrPreview'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelsOrPreview'];
        };
      };
    };
  };
  labelsShow: {
    parameters: {
      query?: {
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the label, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Label'];
        };
      };
    };
  };
  labelsUpdate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the label, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateLabel'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LabelOrPreview'];
        };
      };
    };
  };
  labelsDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the label, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  labelVariablesGet: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the label, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Variables'];
        };
      };
    };
  };
  labelVariablesSet: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the label, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Keys and values, or one pair as `{"key": …, "value": …}`. */
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableMap'];
      };
    };
    responses: {
      /** @description The variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesOrPreview'];
        };
      };
    };
  };
  labelVariablesDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the label, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    /** @description `{"key": …}`, or an object or an array of keys. Keys that are not set are ignored. */
    requestBody: {
      content: {
        'application/json': components['schemas']['VariablesToDelete'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description The variables were deleted, or were not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  labelVariableGet: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the label, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variable. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Variable'];
        };
      };
    };
  };
  labelVariableSet: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description `*`: only if the variable is not set. */
        'If-None-Match'?: '*';
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the label, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VariableValue'];
      };
    };
    responses: {
      /** @description The variable as it was set. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableOrPreview'];
        };
      };
    };
  };
  labelVariableDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Only if the variable has one of these tags; `*`: only if it is set. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the label, or its UUID. */
        id: number;
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description The variable was deleted, or was not set. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  accessSecretsList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: ('id' | 'uuid' | 'project_id' | 'created_at' | 'updated_at' | 'version')[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'uuid' | 'project_id' | 'created_at' | 'updated_at' | 'version')[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `AccessSecretPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccessSecretListItem'][];
        };
      };
    };
  };
  accessSecretsCreate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateAccessSecrets'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccessSecretsOrPreview'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccessSecretsOrPreview'];
        };
      };
    };
  };
  accessSecretsShow: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the access secret, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenAccessSecret'];
        };
      };
    };
  };
  accessSecretsUpdate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the access secret, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateAccessSecret'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccessSecretOrPreview'];
        };
      };
    };
  };
  accessSecretsDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the access secret, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  changesFollow: {
    parameters: {
      query?: {
        /** @description The cursor of the previous response, or `latest` for new changes only. Defaults to the beginning. */
        after?: string;
        /** @description The maximum time to wait for changes, in seconds. */
        wait?: number;
        /** @description The maximum number of changes. */
        limit?: number;
        /** @description Whether to include the devices whose resolved variables each change altered. */
        resolved?: boolean;
        /** @description Only changes of this project. Without it, a root user sees all projects. */
        project_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The next changes; empty if there are none yet. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Feed'];
        };
      };
    };
  };
  changesShowNetImpact: {
    parameters: {
      query: {
        /** @description Only the changes of this variable. */
        key?: string;
        /** @description The first moment. Changes with this time count. */
        since: string;
        /** @description The second moment; by default now. Changes with this time do not count. */
        until?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The differences, by variable and values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NetImpact'];
        };
      };
    };
  };
  changesListNetImpactDevices: {
    parameters: {
      query: {
        /** @description The maximum number of devices to return. */
        limit?: number;
        /** @description The id of the last device seen. */
        marker?: string;
        /** @description The `id` of the group. */
        group: string;
        /** @description The first moment. Changes with this time count. */
        since: string;
        /** @description The second moment; by default now. Changes with this time do not count. */
        until?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the devices. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PastImpact'];
        };
      };
    };
  };
  changesList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'override'
          | 'proposal'
          | 'reverts'
          | 'reverted_by'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit'
          | 'view'
          | 'proposal';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Whether an admin passed the rules for approvals: see `X-Change-Override`. */
        override?: boolean;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ChangeRecordPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  changesCount: {
    parameters: {
      query?: {
        /** @description The project whose changes are counted. The default is the project of the request, also for a root user. */
        project_id?: string;
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit'
          | 'view'
          | 'proposal';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Whether an admin passed the rules for approvals: see `X-Change-Override`. */
        override?: boolean;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
        /** @description The number of intervals. They reach from `since` to `until`; without these filters, from the oldest to the newest matching change. */
        intervals?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The numbers of changes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeCounts'];
        };
      };
    };
  };
  changesShow: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the change. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecord'];
        };
      };
    };
  };
  changeObjectsList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The marker from a link of this list. */
        marker?: string;
        /** @description Objects of this kind. */
        kind?: string;
        /** @description Objects with this action: `create`, `update` or `delete`. */
        action?: string;
      };
      header?: never;
      path: {
        /** @description The id of the change. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ChangedObjectPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangedObject'][];
        };
      };
    };
  };
  changesRevert: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the change. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RevertChange'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordOrPreview'];
        };
      };
      /** @description The record of the new change. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordOrPreview'];
        };
      };
    };
  };
  changesShowImpact: {
    parameters: {
      query?: {
        /** @description The maximum number of devices to return. */
        limit?: number;
        /** @description The id of the last device seen. */
        marker?: string;
      };
      header?: never;
      path: {
        /** @description The id of the change. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the devices. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PastImpact'];
        };
      };
    };
  };
  changesShowImpactGroups: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the change. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The groups. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PastImpactGroups'];
        };
      };
    };
  };
  hostChangesResolved: {
    parameters: {
      query?: {
        /** @description The id of the last change seen: take it from a link. */
        marker?: string;
        /** @description The maximum number of changes. */
        limit?: number;
        /** @description Only the changes of this variable. */
        key?: string;
      };
      header?: never;
      path: {
        /** @description The id of the host, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the changes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ResolvedChanges'];
        };
      };
    };
  };
  networkDeviceChangesResolved: {
    parameters: {
      query?: {
        /** @description The id of the last change seen: take it from a link. */
        marker?: string;
        /** @description The maximum number of changes. */
        limit?: number;
        /** @description Only the changes of this variable. */
        key?: string;
      };
      header?: never;
      path: {
        /** @description The id of the network device, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the changes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ResolvedChanges'];
        };
      };
    };
  };
  projectChangesList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'override'
          | 'proposal'
          | 'reverts'
          | 'reverted_by'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit'
          | 'view'
          | 'proposal';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Whether an admin passed the rules for approvals: see `X-Change-Override`. */
        override?: boolean;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the project. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ChangeRecordPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  accessSecretChangesList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'override'
          | 'proposal'
          | 'reverts'
          | 'reverted_by'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit'
          | 'view'
          | 'proposal';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Whether an admin passed the rules for approvals: see `X-Change-Override`. */
        override?: boolean;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the access secret, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ChangeRecordPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  cloudChangesList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'override'
          | 'proposal'
          | 'reverts'
          | 'reverted_by'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit'
          | 'view'
          | 'proposal';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Whether an admin passed the rules for approvals: see `X-Change-Override`. */
        override?: boolean;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the cloud, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ChangeRecordPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  regionChangesList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'override'
          | 'proposal'
          | 'reverts'
          | 'reverted_by'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit'
          | 'view'
          | 'proposal';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Whether an admin passed the rules for approvals: see `X-Change-Override`. */
        override?: boolean;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the region, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ChangeRecordPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  cellChangesList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'override'
          | 'proposal'
          | 'reverts'
          | 'reverted_by'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit'
          | 'view'
          | 'proposal';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Whether an admin passed the rules for approvals: see `X-Change-Override`. */
        override?: boolean;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the cell, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ChangeRecordPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  labelChangesList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'override'
          | 'proposal'
          | 'reverts'
          | 'reverted_by'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit'
          | 'view'
          | 'proposal';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Whether an admin passed the rules for approvals: see `X-Change-Override`. */
        override?: boolean;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the label, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ChangeRecordPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  userChangesList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'override'
          | 'proposal'
          | 'reverts'
          | 'reverted_by'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit'
          | 'view'
          | 'proposal';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Whether an admin passed the rules for approvals: see `X-Change-Override`. */
        override?: boolean;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the user, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ChangeRecordPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  hostChangesList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'override'
          | 'proposal'
          | 'reverts'
          | 'reverted_by'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit'
          | 'view'
          | 'proposal';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Whether an admin passed the rules for approvals: see `X-Change-Override`. */
        override?: boolean;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the host, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ChangeRecordPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  networkDeviceChangesList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'override'
          | 'proposal'
          | 'reverts'
          | 'reverted_by'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit'
          | 'view'
          | 'proposal';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Whether an admin passed the rules for approvals: see `X-Change-Override`. */
        override?: boolean;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the network device, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ChangeRecordPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  variableDefinitionChangesList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'override'
          | 'proposal'
          | 'reverts'
          | 'reverted_by'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit'
          | 'view'
          | 'proposal';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Whether an admin passed the rules for approvals: see `X-Change-Override`. */
        override?: boolean;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the variable definition, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ChangeRecordPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  auditChangesList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'override'
          | 'proposal'
          | 'reverts'
          | 'reverted_by'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit'
          | 'view'
          | 'proposal';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Whether an admin passed the rules for approvals: see `X-Change-Override`. */
        override?: boolean;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the audit, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ChangeRecordPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  viewChangesList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'override'
          | 'proposal'
          | 'reverts'
          | 'reverted_by'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit'
          | 'view'
          | 'proposal';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Whether an admin passed the rules for approvals: see `X-Change-Override`. */
        override?: boolean;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the view, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ChangeRecordPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  proposalChangesList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'project_id'
          | 'created_at'
          | 'actor'
          | 'request_id'
          | 'reason'
          | 'override'
          | 'proposal'
          | 'reverts'
          | 'reverted_by'
          | 'impact'
          | 'objects_total'
          | 'objects'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'project_id' | 'created_at' | 'request_id' | 'reason')[];
        /** @description Changes to this resource: a collection or kind, "/" and an id. */
        resource?: string;
        /** @description Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing. */
        kind?:
          | 'project'
          | 'project-settings'
          | 'user'
          | 'cloud'
          | 'label'
          | 'access-secret'
          | 'region'
          | 'cell'
          | 'host'
          | 'network-device'
          | 'variable-definition'
          | 'audit'
          | 'view'
          | 'proposal';
        /** @description Changes to the resource with this id. Combine it with `kind`. */
        object_id?: number;
        /** @description Changes to the variable with this key. */
        key?: string;
        /** @description Changes made by the user with this name. */
        actor?: string;
        /** @description The change made by the request with this id. */
        request_id?: string;
        /** @description Changes whose reason contains this text, case-insensitive. */
        reason?: string;
        /** @description Whether an admin passed the rules for approvals: see `X-Change-Override`. */
        override?: boolean;
        /** @description Changes made at this time (UTC) or later. */
        since?: string;
        /** @description Changes made before this time (UTC). */
        until?: string;
      };
      header?: never;
      path: {
        /** @description The id of the proposal, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ChangeRecordPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangeRecordListItem'][];
        };
      };
    };
  };
  variableAssignmentsList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'key'
          | 'kind'
          | 'id'
          | 'name'
          | 'project_id'
          | 'value'
          | 'set_by'
          | 'set_at'
          | 'reason'
          | 'change_id'
          | 'links'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description The key, the kind and the id of the last item seen, separated by `/`. */
        marker?: string;
        /** @description Only this key. With `*` at the end: all keys with this prefix. */
        key?: string;
        /** @description Only variables that are set on resources of this kind. */
        kind?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `VariableAssignmentPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableAssignmentListItem'][];
        };
      };
    };
  };
  variableKeysList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'key'
          | 'project_id'
          | 'regions'
          | 'cells'
          | 'labels'
          | 'hosts'
          | 'network-devices'
          | 'resolved_by'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description The key and the project_id of the last item seen, separated by `/`. */
        marker?: string;
        /** @description Only this key. With `*` at the end: all keys with this prefix. */
        key?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `VariableKeyPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableKeyListItem'][];
        };
      };
    };
  };
  devicesCount: {
    parameters: {
      query?: {
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices of this kind. */
        kind?: 'host' | 'network-device';
        /** @description Devices in this region. Can be repeated: devices in any of the regions. */
        region_id?: number | number[];
        /** @description Devices in this cell; `null` for devices without a cell. Can be repeated: devices in any of the cells. */
        cell_id?: (number | string) | (number | string)[];
        /** @description The exact name. */
        name?: string;
        /** @description Devices whose name contains this text, in upper or lower case. */
        name_contains?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. Can be repeated: devices of any of the types. */
        device_type?: string | string[];
        /** @description The name of one label of the resource, without commas. Can be repeated; the resource must have all of the labels. */
        label?: string | string[];
        /** @description The name of one label that the resource does not have, without commas. Can be repeated; the resource must have none of the labels. */
        without_label?: string | string[];
        /** @description Whether the resources have any label. */
        has_labels?: boolean;
        /** @description Devices whose parent is this device; `null` for devices without a parent. Can be repeated: children of any of the devices. */
        parent_id?: (number | string) | (number | string)[];
        /** @description Devices with this access secret; `null` for devices without one. Can be repeated: devices with any of the secrets. */
        access_secret_id?: (number | string) | (number | string)[];
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
        /** @description Conditions on resolved variables, each a parameter of its own; all must match, at most 16. `<path> <operator> <value>`: paths are those of `vars`, values are JSON. Operators: `=`, `!=`, `<`, `<=`, `>`, `>=` (numbers by value, texts in natural order), `^=` (begins with), `~=` (contains, ignoring case), `in [<value>, …]`, `exists` and `missing`. */
        where?: string | string[];
        /** @description The project whose devices are counted. The default is the project of the request, also for a root user. */
        project_id?: string;
        /** @description The maximum number of groups. */
        limit?: number;
        /** @description What to group the devices by, joined by `,`. There is a group for each combination. */
        group_by?: ('region' | 'cell' | 'label' | 'kind' | 'active' | 'device_type')[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The numbers of devices. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeviceCounts'];
        };
      };
    };
  };
  variableValuesCount: {
    parameters: {
      query?: {
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices of this kind. */
        kind?: 'host' | 'network-device';
        /** @description Devices in this region. Can be repeated: devices in any of the regions. */
        region_id?: number | number[];
        /** @description Devices in this cell; `null` for devices without a cell. Can be repeated: devices in any of the cells. */
        cell_id?: (number | string) | (number | string)[];
        /** @description The exact name. */
        name?: string;
        /** @description Devices whose name contains this text, in upper or lower case. */
        name_contains?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. Can be repeated: devices of any of the types. */
        device_type?: string | string[];
        /** @description The name of one label of the resource, without commas. Can be repeated; the resource must have all of the labels. */
        label?: string | string[];
        /** @description The name of one label that the resource does not have, without commas. Can be repeated; the resource must have none of the labels. */
        without_label?: string | string[];
        /** @description Whether the resources have any label. */
        has_labels?: boolean;
        /** @description Devices whose parent is this device; `null` for devices without a parent. Can be repeated: children of any of the devices. */
        parent_id?: (number | string) | (number | string)[];
        /** @description Devices with this access secret; `null` for devices without one. Can be repeated: devices with any of the secrets. */
        access_secret_id?: (number | string) | (number | string)[];
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
        /** @description Conditions on resolved variables, each a parameter of its own; all must match, at most 16. `<path> <operator> <value>`: paths are those of `vars`, values are JSON. Operators: `=`, `!=`, `<`, `<=`, `>`, `>=` (numbers by value, texts in natural order), `^=` (begins with), `~=` (contains, ignoring case), `in [<value>, …]`, `exists` and `missing`. */
        where?: string | string[];
        /** @description The project whose devices are counted. The default is the project of the request, also for a root user. */
        project_id?: string;
        /** @description The maximum number of groups. The default is `limit`. */
        group_limit?: number;
        /** @description The maximum number of values, and of groups without `group_limit`. */
        limit?: number;
        /** @description Counts the devices of each group separately, too. */
        group_by?: 'region' | 'cell' | 'label' | 'kind';
        /** @description Counts a part of the value: a path inside it, in the syntax of `vars` without wildcards. Of several matches, the first one counts. */
        path?: string;
      };
      header?: never;
      path: {
        /** @description The key of the variable. */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The distribution of the values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableValues'];
        };
      };
    };
  };
  search: {
    parameters: {
      query: {
        /** @description The project to search. The default is the project of the request, also for a root user, who finds projects by name in any case. */
        project_id?: string;
        /** @description The maximum number of hits. */
        limit?: number;
        /** @description The text: a name, a label, an id, a UUID, an IP address, a network in CIDR notation, the first octets or groups of an address (`10.64.`, `2001:db8:`), the key of a variable, the value of one or a part of it, the number of a change, or a part of its reason. */
        q: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The hits. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SearchResult'];
        };
      };
    };
  };
  variableDefinitionsList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'key'
          | 'description'
          | 'schema'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'key'
          | 'description'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose key has this prefix. */
        name_prefix?: string;
        /** @description The exact key, or the exact prefix with its `*`. */
        key?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `VariableDefinitionPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableDefinitionListItem'][];
        };
      };
    };
  };
  variableDefinitionsCreate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateVariableDefinitions'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableDefinitionsOrPreview'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableDefinitionsOrPreview'];
        };
      };
    };
  };
  variableDefinitionsShow: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the variable definition, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableDefinition'];
        };
      };
    };
  };
  variableDefinitionsUpdate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the variable definition, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateVariableDefinition'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariableDefinitionOrPreview'];
        };
      };
    };
  };
  variableDefinitionsDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the variable definition, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  variableDefinitionsListViolations: {
    parameters: {
      query?: {
        /** @description The maximum number of items. 1–10000 for an array (default 1000), 10–100 for a page object (default 30). */
        limit?: number;
        /** @description The start of the page, from the `next` link of the previous page. */
        marker?: string;
      };
      header?: never;
      path: {
        /** @description The id of the variable definition, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. Ordered by key, kind and id. A page can have fewer items than its limit, or none, and still have a `next` link. With `Accept: application/vnd.muster.page+json`, a `ViolationPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Violation'][];
        };
      };
    };
  };
  variableDefinitionsPreviewViolations: {
    parameters: {
      query?: {
        /** @description The maximum number of items. 1–10000 for an array (default 1000), 10–100 for a page object (default 30). */
        limit?: number;
        /** @description The start of the page, from the `next` link of the previous page. */
        marker?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateVariableDefinition'];
      };
    };
    responses: {
      /** @description A list. Ordered by key, kind and id. A page can have fewer items than its limit, or none, and still have a `next` link. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Violation'][];
        };
      };
    };
  };
  auditsList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'description'
          | 'kind'
          | 'vars'
          | 'where'
          | 'expectation'
          | 'keys'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'description'
          | 'kind'
          | 'vars'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        name?: string;
        /** @description Audits that target exactly this kind of device. */
        kind?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `AuditPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditListItem'][];
        };
      };
    };
  };
  auditsCreate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateAudits'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditsOrPreview'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditsOrPreview'];
        };
      };
    };
  };
  auditsShow: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the audit, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Audit'];
        };
      };
    };
  };
  auditsUpdate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the audit, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateAudit'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditOrPreview'];
        };
      };
    };
  };
  auditsDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the audit, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  auditsRun: {
    parameters: {
      query?: {
        /** @description The maximum number of devices to return. */
        limit?: number;
        /** @description The id of the last device seen. */
        marker?: string;
        /** @description Devices in this region. Can be repeated: devices in any of the regions. */
        region_id?: number | number[];
        /** @description Devices in this cell; `null` for devices without a cell. Can be repeated: devices in any of the cells. */
        cell_id?: (number | string) | (number | string)[];
        /** @description Whether the counts become a past run of the audit. Those of a run that is limited to regions or cells never do. */
        store?: boolean;
      };
      header?: never;
      path: {
        /** @description The id of the audit, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Empty, or `{}`. */
    requestBody?: {
      content: {
        'application/json': components['schemas']['EmptyBody'];
      };
    };
    responses: {
      /** @description The result of the run. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditResult'];
        };
      };
    };
  };
  auditsRemediate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the audit, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Remediation'];
      };
    };
    responses: {
      /** @description The level's own variables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VariablesOrPreview'];
        };
      };
    };
  };
  auditsListRuns: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the audit, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The runs. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PastRuns'];
        };
      };
    };
  };
  viewsList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'description'
          | 'address'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'name'
          | 'description'
          | 'address'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description The exact name. */
        name?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `SavedViewPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SavedViewListItem'][];
        };
      };
    };
  };
  viewsCreate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateSavedViews'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SavedViewsOrPreview'];
        };
      };
      /** @description Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SavedViewsOrPreview'];
        };
      };
    };
  };
  viewsShow: {
    parameters: {
      query?: {
        /** @description The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`. */
        at?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the view, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SavedView'];
        };
      };
    };
  };
  viewsUpdate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the view, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateSavedView'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SavedViewOrPreview'];
        };
      };
    };
  };
  viewsDelete: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the view, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preview'];
        };
      };
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  sessionViewsShow: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The views. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OwnViews'];
        };
      };
    };
  };
  sessionViewsReplace: {
    parameters: {
      query?: never;
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OwnViews'];
      };
    };
    responses: {
      /** @description The views. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OwnViews'];
        };
      };
    };
  };
  exportInventory: {
    parameters: {
      query?: {
        /** @description Exports only resources of this kind. Repeat the parameter for several kinds. */
        kind?:
          | ('cloud' | 'label' | 'region' | 'cell' | 'host' | 'network-device')
          | ('cloud' | 'label' | 'region' | 'cell' | 'host' | 'network-device')[];
        /** @description The format: `ndjson` is one JSON object per line, as `POST /v1/import` accepts it; `csv` is a table of hosts. Without this parameter, `Accept` selects it: `ndjson` unless it prefers `text/csv`. */
        format?: 'ndjson' | 'csv';
        /** @description Whether `variables` contains the resolved variables, or only those of the resource itself. */
        'resolved-values'?: boolean;
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices in this region. Can be repeated: devices in any of the regions. */
        region_id?: number | number[];
        /** @description Devices in this cell; `null` for devices without a cell. Can be repeated: devices in any of the cells. */
        cell_id?: (number | string) | (number | string)[];
        /** @description The exact name. */
        name?: string;
        /** @description Devices whose name contains this text, in upper or lower case. */
        name_contains?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. Can be repeated: devices of any of the types. */
        device_type?: string | string[];
        /** @description The name of one label of the resource, without commas. Can be repeated; the resource must have all of the labels. */
        label?: string | string[];
        /** @description The name of one label that the resource does not have, without commas. Can be repeated; the resource must have none of the labels. */
        without_label?: string | string[];
        /** @description Whether the resources have any label. */
        has_labels?: boolean;
        /** @description Devices whose parent is this device; `null` for devices without a parent. Can be repeated: children of any of the devices. */
        parent_id?: (number | string) | (number | string)[];
        /** @description Devices with this access secret; `null` for devices without one. Can be repeated: devices with any of the secrets. */
        access_secret_id?: (number | string) | (number | string)[];
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Whether to include the descendants of the matching devices, at any depth and through devices of all kinds. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
        /** @description Conditions on resolved variables, each a parameter of its own; all must match, at most 16. `<path> <operator> <value>`: paths are those of `vars`, values are JSON. Operators: `=`, `!=`, `<`, `<=`, `>`, `>=` (numbers by value, texts in natural order), `^=` (begins with), `~=` (contains, ignoring case), `in [<value>, …]`, `exists` and `missing`. */
        where?: string | string[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One line per resource. A resource follows those that it references. If the export fails, the connection is closed without the final chunk of the body. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': string;
          'text/csv': string;
        };
      };
    };
  };
  importInventory: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description `all`: if one line cannot be imported, nothing is imported; the import stops at 1000 faulty lines. `partial`: the valid lines are imported, and the response lists the failed ones; more than 100,000 invalid lines are an error. */
        mode?: 'all' | 'partial';
        /** @description The maximum number of devices whose resolved values may change, considering the variables that the caller may see. If there are more, nothing is imported: `409`. */
        max_affected_devices?: number;
        /** @description Whether the lines of the response have `before` and `after`. Requires `Accept: application/x-ndjson`. */
        changes?: boolean;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    /** @description One JSON object per line, in any order, or a CSV table of devices. Members that a line does not contain stay unchanged. `Content-Encoding` can be `gzip`, `deflate` or `br`. */
    requestBody: {
      content: {
        'application/x-ndjson': string;
        'text/csv': string;
      };
    };
    responses: {
      /** @description The results of the lines. With `Accept: application/x-ndjson`, one line for each line of the body, in its order, followed by this summary. With `changes=true`, created and updated lines have `after`, the resource as in an export, and updated lines `before`, too. A dry run also has `dry_run`, `existing_devices` and `impact`. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ImportResult'];
          'application/x-ndjson': string;
        };
      };
    };
  };
  batch: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
        /** @description Proposes the write, with this title, instead of doing it. It needs no role. The response is `202` with the proposal, as `GET /v1/proposals/{id}` shows it, and with its URL in `Location`. */
        propose?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Batch'];
      };
    };
    responses: {
      /** @description The results of the operations, in order. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BatchResultOrPreview'];
        };
      };
    };
  };
  proposalsList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: (
          | 'id'
          | 'uuid'
          | 'project_id'
          | 'title'
          | 'description'
          | 'state'
          | 'revision'
          | 'reason'
          | 'author'
          | 'resources'
          | 'keys'
          | 'operations_total'
          | 'approvals'
          | 'comments_total'
          | 'change_id'
          | 'created_at'
          | 'updated_at'
          | 'version'
        )[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'uuid' | 'project_id' | 'state' | 'created_at' | 'updated_at' | 'version')[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description The state. Can be repeated: one of them. */
        state?:
          | ('open' | 'approved' | 'applied' | 'rejected' | 'withdrawn')
          | ('open' | 'approved' | 'applied' | 'rejected' | 'withdrawn')[];
        /** @description The username of the author; `me` for the caller. */
        author?: string;
        /** @description With the value `me`: open proposals of others whose present revision the caller has not reviewed or has approved with another impact, and own ones that are approved or rejected. */
        waiting_for?: string;
        /** @description Proposals that write a resource of this kind. */
        kind?: string;
        /** @description Proposals that write this variable. */
        key?: string;
        /** @description Proposals that write this resource: its collection and its id. */
        resource?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ProposalPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProposalListItem'][];
        };
      };
    };
  };
  proposalsShow: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If the response would be the same, it is 304, without a body. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The id of the proposal, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProposalDetails'];
        };
      };
    };
  };
  proposalsUpdate: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the proposal, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateProposal'];
      };
    };
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProposalDetailsOrPreview'];
        };
      };
    };
  };
  proposalsRevisions: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the proposal, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The revisions, oldest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProposalRevision'][];
        };
      };
    };
  };
  proposalsRevision: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id of the proposal, or its UUID. */
        id: number;
        /** @description Its number. */
        revision: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProposalRevisionDetails'];
        };
      };
    };
  };
  proposalsWithdraw: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description Write only if the resource has one of these versions. */
        'If-Match'?: string;
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the proposal, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Empty, or `{}`. */
    requestBody?: {
      content: {
        'application/json': components['schemas']['EmptyBody'];
      };
    };
    responses: {
      /** @description Withdrawn. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProposalDetailsOrPreview'];
        };
      };
    };
  };
  proposalCommentsList: {
    parameters: {
      query?: {
        /** @description The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30. */
        limit?: number;
        /** @description The direction of all the sort keys. */
        sort_dir?: 'asc' | 'desc';
        /** @description The members to return, joined by `,`. Other members are not computed. */
        fields?: ('id' | 'author' | 'text' | 'created_at')[];
        /** @description Only items of this project. Without it, a root user sees all projects. */
        project_id?: string;
        /** @description Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page. */
        marker?: string;
        /** @description Columns to sort by, joined by `,`. The id is always the last. */
        sort_keys?: ('id' | 'created_at')[];
      };
      header?: never;
      path: {
        /** @description The id of the proposal, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An array, with links in the `Link` header. With `Accept: application/vnd.muster.page+json`, a `ProposalCommentPage` of that media type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProposalCommentListItem'][];
        };
      };
    };
  };
  proposalsComment: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the proposal, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewComment'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProposalCommentOrPreview'];
        };
      };
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProposalCommentOrPreview'];
        };
      };
    };
  };
  proposalsPreview: {
    parameters: {
      query?: {
        /** @description The maximum number of devices to return. */
        limit?: number;
        /** @description The id of the last device seen. */
        marker?: string;
      };
      header?: never;
      path: {
        /** @description The id of the proposal, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The preview. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProposalPreview'];
        };
      };
    };
  };
  proposalsReview: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the proposal, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewReview'];
      };
    };
    responses: {
      /** @description With `dry_run=true`: a preview of what it would do. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProposalDetailsOrPreview'];
        };
      };
      /** @description The proposal. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProposalDetailsOrPreview'];
        };
      };
    };
  };
  proposalsApply: {
    parameters: {
      query?: {
        /** @description Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do. */
        dry_run?: boolean;
        /** @description Only with `dry_run=true`: the maximum number of affected devices in the response. Without it, 30. */
        limit?: number;
        /** @description Only with `dry_run=true`: the id of the last affected device seen. */
        marker?: string;
      };
      header?: {
        /** @description The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count. */
        'X-Change-Reason'?: string;
        /** @description A unique key of this request, chosen by the client. If the request is repeated with the same key within 24 hours, it returns the stored response and does nothing. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The id of the proposal, or its UUID. */
        id: number;
      };
      cookie?: never;
    };
    /** @description Empty, or `{}`. */
    requestBody?: {
      content: {
        'application/json': components['schemas']['EmptyBody'];
      };
    };
    responses: {
      /** @description The results of the operations, in order. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BatchResultOrPreview'];
        };
      };
    };
  };
  ansibleInventory: {
    parameters: {
      query?: {
        /** @description Returns only the variables of the host with this name, as `--host` prints them; an empty object if the host is not in the inventory. */
        host?: string;
        /** @description Whether the inventory includes inactive hosts. */
        inactive?: boolean;
        /** @description The kinds of devices in the inventory. Repeat the parameter for several kinds. Without it, the inventory has hosts. */
        kind?: ('host' | 'network-device') | ('host' | 'network-device')[];
        /** @description With `false`, variables are not resolved: `_meta` contains `hosts`, each with its members, own variables and the keys of its levels, broadest first, and `levels` with the variables of each, instead of `hostvars`. */
        'resolved-values'?: boolean;
        /** @description The inventory as it was at this time. The only filters are then `region_id`, `cell_id`, `device_type`, `label`, `vars`, `where`, and the project may have at most 100,000 devices. */
        at?: string;
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices in this region. Can be repeated: devices in any of the regions. */
        region_id?: number | number[];
        /** @description Devices in this cell; `null` for devices without a cell. Can be repeated: devices in any of the cells. */
        cell_id?: (number | string) | (number | string)[];
        /** @description The exact name. */
        name?: string;
        /** @description Devices whose name contains this text, in upper or lower case. */
        name_contains?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. Can be repeated: devices of any of the types. */
        device_type?: string | string[];
        /** @description The name of one label of the resource, without commas. Can be repeated; the resource must have all of the labels. */
        label?: string | string[];
        /** @description The name of one label that the resource does not have, without commas. Can be repeated; the resource must have none of the labels. */
        without_label?: string | string[];
        /** @description Whether the resources have any label. */
        has_labels?: boolean;
        /** @description Devices whose parent is this device; `null` for devices without a parent. Can be repeated: children of any of the devices. */
        parent_id?: (number | string) | (number | string)[];
        /** @description Devices with this access secret; `null` for devices without one. Can be repeated: devices with any of the secrets. */
        access_secret_id?: (number | string) | (number | string)[];
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Whether to include the descendants of the matching devices, at any depth and through devices of all kinds. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
        /** @description Conditions on resolved variables, each a parameter of its own; all must match, at most 16. `<path> <operator> <value>`: paths are those of `vars`, values are JSON. Operators: `=`, `!=`, `<`, `<=`, `>`, `>=` (numbers by value, texts in natural order), `^=` (begins with), `~=` (contains, ignoring case), `in [<value>, …]`, `exists` and `missing`. */
        where?: string | string[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The output of an inventory script for `--list`: each device with its resolved variables and `ansible_host`, and a group for each region, cell and label. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AnsibleInventory'];
        };
      };
    };
  };
  prometheusTargets: {
    parameters: {
      query?: {
        /** @description The port of hosts whose variables do not set one. Without this parameter, such hosts are skipped. */
        port?: number;
        /** @description The key of the variable that contains the port, or an array of ports. */
        port_variable?: string;
        /** @description The key of the variable that contains the scheme: `http` or `https`. */
        scheme_variable?: string;
        /** @description The key of the variable that contains the path of the metrics. */
        path_variable?: string;
        /** @description The key of the variable that contains whether the host is scraped: `false` excludes it. */
        scrape_variable?: string;
        /** @description The key of a variable that becomes the label `__meta_muster_variable_<key>`. Repeat the parameter for several variables. */
        variable?: string | string[];
        /** @description Only the resource with this UUID, with or without dashes, in upper or lower case. */
        uuid?: string;
        /** @description Only items whose name has this prefix. */
        name_prefix?: string;
        /** @description Devices in this region. Can be repeated: devices in any of the regions. */
        region_id?: number | number[];
        /** @description Devices in this cell; `null` for devices without a cell. Can be repeated: devices in any of the cells. */
        cell_id?: (number | string) | (number | string)[];
        /** @description The exact name. */
        name?: string;
        /** @description Devices whose name contains this text, in upper or lower case. */
        name_contains?: string;
        /** @description An IP address, or a network in CIDR notation that contains the address. */
        ip?: string;
        /** @description Devices of exactly this type. Can be repeated: devices of any of the types. */
        device_type?: string | string[];
        /** @description The name of one label of the resource, without commas. Can be repeated; the resource must have all of the labels. */
        label?: string | string[];
        /** @description The name of one label that the resource does not have, without commas. Can be repeated; the resource must have none of the labels. */
        without_label?: string | string[];
        /** @description Whether the resources have any label. */
        has_labels?: boolean;
        /** @description Devices whose parent is this device; `null` for devices without a parent. Can be repeated: children of any of the devices. */
        parent_id?: (number | string) | (number | string)[];
        /** @description Devices with this access secret; `null` for devices without one. Can be repeated: devices with any of the secrets. */
        access_secret_id?: (number | string) | (number | string)[];
        /** @description Whether the devices are active. */
        active?: boolean;
        /** @description Resources in the regions of this cloud. */
        cloud_id?: number;
        /** @description Whether to include the descendants of the matching devices, at any depth and through devices of all kinds. */
        descendants?: boolean;
        /** @description Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null. */
        vars?: string;
        /** @description Conditions on resolved variables, each a parameter of its own; all must match, at most 16. `<path> <operator> <value>`: paths are those of `vars`, values are JSON. Operators: `=`, `!=`, `<`, `<=`, `>`, `>=` (numbers by value, texts in natural order), `^=` (begins with), `~=` (contains, ignoring case), `in [<value>, …]`, `exists` and `missing`. */
        where?: string | string[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The targets, in the format of the HTTP service discovery of Prometheus. Inactive hosts are excluded, unless `active` selects them. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Target'][];
        };
      };
    };
  };
  saltPillar: {
    parameters: {
      query: {
        /** @description The name of the host. It equals the id of the minion. */
        host: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The variables. The response for an unknown host is an empty object, because Salt treats an error in the same way. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SaltPillar'];
        };
      };
    };
  };
  puppetNode: {
    parameters: {
      query: {
        /** @description The key of the variable that contains the environment. */
        environment_variable?: string;
        /** @description The key of the variable that contains the classes. */
        classes_variable?: string;
        /** @description The name of the host. It equals the name of the node. */
        host: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The node. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ClassifiedNode'];
        };
      };
    };
  };
}
